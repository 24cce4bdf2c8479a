import { expect } from "vitest";
import { endpoint as create } from "../../../functions/oms/inventory/aliases/create-aliases.ts";
import { endpoint as patch } from "../../../functions/oms/inventory/aliases/patch-aliases.ts";
import { newProduct, newProducts } from "../../support/business/world.ts";
import { unique } from "../../support/records/records.ts";
import { conforms } from "./conforms.ts";
import { isoTime } from "./resource.ts";

const wrongCenter = "is not a registered distribution center";
const wrongStore = "is not a store of the account";
const stores = "it has 1 (Demo Web Store), 2 (Demo Marketplace)";
const other = unique("OTHER");

conforms({
  title: "alias",
  create,
  limits: {
    sku: "required string 1-100",
    alias: "required string 1-100",
    channel_id: "optional integer 1-9007199254740991",
    distribution_center: "optional string 0-255",
  },
  prepare: async (account) => {
    const product = await newProduct(account);
    const { sku } = product;
    if (account.store_id === 2) await newProducts(account, [{ sku: other }]);
    return {
      path: "/inventory/aliases",
      product,
      record: (more = {}) => ({ sku, alias: unique("ALIAS"), channel_id: account.store_id, ...more }),
      optional: { distribution_center: "EAST" },
      references: [
        [{ sku }, "sku", `is not a known SKU (${sku})`],
        [
          { channel_id: account.store_id },
          "channel_id",
          `${wrongStore} (${account.store_id}); it has 3 (Second Shop)`,
        ],
      ],
    };
  },
  answered: (sent, product) => ({
    alias_id: expect.any(Number),
    ...sent,
    product_id: product?.product_id,
    distribution_center: null,
    created_at: isoTime,
    updated_at: isoTime,
    version: 1,
  }),
  id: "alias_id",
  read: {
    by: ["alias_id", "alias"],
    missing: (identifier) => `There is no alias with the id or text ${identifier}`,
    named: true,
  },
  unique: { field: "alias", taken: ({ alias }) => `already exists in channel 2 (${alias})` },
  wrongReferences: [
    [{ sku: "NO-SUCH" }, "sku", "is not a known SKU (NO-SUCH)"],
    [{ sku: other.toLowerCase() }, "sku", `is not a known SKU (${other.toLowerCase()})`],
    [{ channel_id: 9 }, "channel_id", `${wrongStore} (9); ${stores}`],
    [{ channel_id: 3 }, "channel_id", `${wrongStore} (3); ${stores}`],
    [{ channel_id: Number.MAX_SAFE_INTEGER }, "channel_id", `${wrongStore} (9007199254740991); ${stores}`],
    [
      { distribution_center: "WEST" },
      "distribution_center",
      `${wrongCenter} (WEST); registered are EAST, IDLE, MAIN`,
    ],
    [
      { distribution_center: "main" },
      "distribution_center",
      `${wrongCenter} (main); registered are EAST, IDLE, MAIN`,
    ],
  ],
  change: {
    request: patch.request,
    limits: {
      version: "optional integer 1-9007199254740991",
      alias_id: "optional integer 1-9007199254740991",
    },
    cleared: { channel_id: null },
    keys: [["alias_id"], ["alias", "channel_id"]],
    unknown: [{ alias_id: 999_999_999 }, { alias: "NONE", channel_id: 2 }, { alias: "NONE", channel_id: 9 }],
    missing: ({ alias_id, alias, channel_id }) =>
      alias_id === undefined ? `alias ${alias} in channel ${channel_id}` : `alias with alias_id ${alias_id}`,
    to: [
      [{ distribution_center: "MAIN" }],
      [{ alias: unique("OTHER-TEXT") }],
      [{ channel_id: 1 }],
      [{ sku: other }, { product_id: expect.any(Number) }],
    ],
  },
});
