import { defineWholeList } from "../../../shared/http/lists/define-read.ts";
import {
  packageType,
  packageTypes,
  registryReadAccess,
} from "../../../shared/registries/registry-repository.ts";

export const { endpoint, handler } = defineWholeList(
  {
    path: "/apirest/v4/oms/package_types",
    summary: "List the account's package types",
    record: packageType,
    access: registryReadAccess("packageTypes"),
  },
  ({ db, account_id }) => packageTypes.all(db, account_id),
);
