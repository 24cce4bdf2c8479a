import { defineWholeList } from "../../../shared/http/lists/define-read.ts";
import { registryReadAccess, storeEntry, stores } from "../../../shared/registries/registry-repository.ts";

export const { endpoint, handler } = defineWholeList(
  {
    path: "/apirest/v4/oms/stores",
    summary: "List the account's stores, which are its channels",
    record: storeEntry,
    access: registryReadAccess("stores"),
  },
  ({ db, account_id }) => stores.all(db, account_id),
);
