import { defineWholeList } from "../../../shared/http/lists/define-read.ts";
import { registryReadAccess, supplier, suppliers } from "../../../shared/registries/registry-repository.ts";

export const { endpoint, handler } = defineWholeList(
  {
    path: "/apirest/v4/oms/suppliers",
    summary: "List the account's suppliers",
    record: supplier,
    access: registryReadAccess("suppliers"),
  },
  ({ db, account_id }) => suppliers.all(db, account_id),
);
