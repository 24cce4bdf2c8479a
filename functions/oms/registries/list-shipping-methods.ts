import { defineWholeList } from "../../../shared/http/lists/define-read.ts";
import {
  registryReadAccess,
  shippingMethod,
  shippingMethods,
} from "../../../shared/registries/registry-repository.ts";

export const { endpoint, handler } = defineWholeList(
  {
    path: "/apirest/v4/oms/shipping_methods",
    summary: "List the account's shipping methods",
    record: shippingMethod,
    access: registryReadAccess("shippingMethods"),
  },
  ({ db, account_id }) => shippingMethods.all(db, account_id),
);
