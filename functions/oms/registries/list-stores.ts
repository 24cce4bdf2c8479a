import { lambda } from "../../../shared/http/lambda.ts";
import { defineWholeList } from "../../../shared/http/lists/define-read.ts";
import { reads, store, stores } from "../../../shared/registries/registry-repository.ts";

export const endpoint = defineWholeList(
  {
    path: "/apirest/v4/oms/stores",
    summary: "List the account's stores, which are its channels",
    record: store,
    access: reads("stores"),
  },
  ({ db, account_id }) => stores.all(db, account_id),
);

export const handler = lambda(endpoint);
