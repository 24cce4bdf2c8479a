import { endpoint as create } from "../../../functions/oms/serials/create-serials.ts";
import { endpoint as setAttributes } from "../../../functions/oms/serials/set-serial-attributes.ts";
import { newProduct } from "../../support/business/world.ts";
import { unique } from "../../support/records/records.ts";
import { conforms } from "./conforms.ts";
import type { Account, WrongReference } from "./resource.ts";

const unknownSku = (sku: string): WrongReference => [{ sku }, "sku", `is not a known SKU (${sku})`];
const wrongReferences = ["NO-SUCH", "demo-tee"].map(unknownSku);

conforms({
  title: "serial",
  create,
  limits: {
    sku: "required string 1-100",
    serials: "required array 1-100",
    "serials[]": "required string 1-64",
  },
  prepare: async (account) => {
    const { sku } = await newProduct(account);
    return {
      path: "/serials/bulk",
      list: `/serials?sku=${sku}`,
      record: (more = {}) => ({ sku, serials: [unique("SN")], ...more }),
      references: [unknownSku(sku)],
    };
  },
  wrongReferences,
});

conforms({
  title: "attributes of serials",
  create: setAttributes,
  limits: {
    sku: "required string 1-100",
    serial_start: "required string 1-64",
    serial_end: "required string 1-64",
    attributes: "required array 1-50",
    "attributes[].attribute": "required string 1-100",
    "attributes[].value": "required string 0-1000",
  },
  prepare: async (account: Account) => {
    const { sku } = await newProduct(account);
    await account.oms.post("/serials/bulk", { data: [{ sku, serials: ["A1", "A2", "A3"] }] });
    const attributes = [{ attribute: "color", value: "red" }];
    return {
      path: "/serials/batch/attributes",
      list: `/serials?sku=${sku}`,
      record: (more = {}) => ({ sku, serial_start: "A1", serial_end: "A3", attributes, ...more }),
      references: [unknownSku(sku)],
    };
  },
  wrongReferences,
});
