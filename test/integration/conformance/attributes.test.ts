import { endpoint as create } from "../../../functions/oms/attributes/create-attributes.ts";
import { endpoint as patch } from "../../../functions/oms/attributes/patch-attributes.ts";
import { unique } from "../../support/records/records.ts";
import { conforms } from "./conforms.ts";
import { isoTime } from "./resource.ts";

conforms({
  title: "attribute",
  create,
  limits: {
    attribute: "required string 1-100",
    value: "required string 0-1000",
  },
  prepare: async () => ({
    path: "/attributes/distribution_center/1",
    record: (more = {}) => ({ attribute: unique("color"), value: "red", ...more }),
    references: [],
  }),
  answered: (sent) => ({
    owner_type: "distribution_center",
    owner_id: 1,
    ...sent,
    created_at: isoTime,
    updated_at: isoTime,
  }),
  unique: { field: "attribute", taken: ({ attribute }) => `already exists (${attribute})` },
  wrongReferences: [],
  change: {
    request: patch.request,
    limits: {
      attribute: "required string 1-100",
      value: "required string 0-1000",
    },
    keys: [["attribute"]],
    unknown: [{ attribute: "Color" }],
    missing: ({ attribute }) => `attribute ${attribute}`,
    to: [[{ value: "blue" }], [{ value: "" }]],
  },
});
