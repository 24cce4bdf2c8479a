/** Faults in orders, picking and the catalog. */
import type { PlantedFault } from "./index.ts";

const saveOrder = "shared/orders/storage/save-order.ts";

export const ofOrders: readonly PlantedFault[] = [
  {
    name: "a change without the version that it is based on",
    edits: [
      {
        file: "shared/store/lists/repository.ts",
        find: '=> ({ attribute: "version", equals: record.version }) as const;',
        replace: '=> ({ attribute: "version", is: record.version > 0 ? "present" : "absent" }) as const;',
      },
    ],
  },
  {
    name: "an expected version that is not compared",
    edits: [
      {
        file: "shared/common/versioned.ts",
        find: "version !== undefined && version !== stored",
        replace: "version !== undefined && version > stored",
      },
    ],
  },
  {
    name: "an order that does not reserve its stock",
    edits: [
      {
        file: "shared/stock/stock-repository.ts",
        find: "const add = { on_hand, reserved, ...movementCounted(cause) };",
        replace:
          'const add = { on_hand, reserved: cause.reason === "order_created" ? 0 : reserved, ...movementCounted(cause) };',
      },
    ],
  },
  {
    name: "a PUT that gives an order its old number again",
    edits: [
      {
        file: "functions/oms/orders/update-orders.ts",
        find: "if (latest[by] !== before[by])",
        replace: "if (latest.order_id !== before.order_id)",
      },
    ],
  },
  {
    name: "a reference that is still found after it changed",
    edits: [
      {
        file: saveOrder,
        find: "    ...orderReferences.change(referenceOf(record), referenceOf(after)),\n",
        replace: "",
      },
    ],
  },
  {
    name: "a picked order that is not counted",
    edits: [{ file: saveOrder, find: "    ...countPicked(record, after),\n", replace: "" }],
  },
  {
    name: "an order that ships before it is picked",
    edits: [
      {
        file: "shared/orders/order-transitions.ts",
        find: "if (!isPicked(before)) return",
        replace: "if (!isPicked(before) && before.picks.length > 0) return",
      },
    ],
  },
  {
    name: "a revert that leaves the picked goods out of their bins",
    edits: [{ file: "functions/jobs/apply-revert.ts", find: "        putBackPicks,\n", replace: "" }],
  },
  {
    name: "a return that its order does not note",
    edits: [
      {
        file: "shared/inbound/returns/announce-returns.ts",
        find: "writes: [...returns.insert(created), ...writes],",
        replace: "writes: [...returns.insert(created)],",
      },
    ],
  },
  {
    name: "a kit whose name keeps the old components",
    edits: [
      {
        file: "shared/catalog/synsets/synset-repository.ts",
        find: "return [...saved, changeName(after.account_id, after.synset, { items: after.items })];",
        replace: "return saved;",
      },
    ],
  },
  {
    name: "an alias that is still found by its old SKU",
    edits: [
      {
        file: "shared/catalog/aliases/alias-repository.ts",
        find: "  ...aliasSkus.change(skuOf(before.record), skuOf(after)),\n",
        replace: "",
      },
    ],
  },
  {
    name: "a product whose new center does not keep it",
    edits: [
      {
        file: "functions/oms/inventory/products/patch-products.ts",
        find: "const moving = move === undefined ? [] :",
        replace: "const moving = move === undefined || move.center !== undefined ? [] :",
      },
    ],
  },
];
