/** Faults in orders, picking and the catalog. */
import type { Faults } from "./index.ts";

const saveOrder = "shared/orders/storage/save-order.ts";

export const ofOrders: Faults = {
  "a change without the version that it is based on": {
    file: "shared/store/lists/repository.ts",
    find: '=> ({ attribute: "version", equals: record.version }) as const;',
    replace: '=> ({ attribute: "version", is: record.version > 0 ? "present" : "absent" }) as const;',
  },
  "an expected version that is not compared": {
    file: "shared/common/versioned.ts",
    find: "version !== undefined && version !== stored",
    replace: "version !== undefined && version > stored",
  },
  "an order that does not reserve its stock": {
    file: "shared/stock/stock-repository.ts",
    find: "const add = { on_hand, reserved, ...movementCounted(cause) };",
    replace:
      'const add = { on_hand, reserved: cause.reason === "order_created" ? 0 : reserved, ...movementCounted(cause) };',
  },
  "a PUT that gives an order its old number again": {
    file: "shared/orders/replace-orders.ts",
    find: "if (latest[by] !== before[by])",
    replace: "if (latest.order_id !== before.order_id)",
  },
  "a reference that is still found after it changed": {
    file: saveOrder,
    find: "    ...orderReferences.change(referenceOf(record), referenceOf(after)),\n",
    replace: "",
  },
  "a picked order that is not counted": {
    file: saveOrder,
    find: "    ...countPicked(record, after),\n",
    replace: "",
  },
  "an order that ships before it is picked": {
    file: "shared/orders/order-transitions.ts",
    find: "if (!isPicked(before)) return",
    replace: "if (!isPicked(before) && before.picks.length > 0) return",
  },
  "a revert that leaves the picked goods out of their bins": {
    file: "functions/jobs/apply-revert.ts",
    find: "      putBackPicks,\n",
    replace: "",
  },
  "a return that its order does not note": {
    file: "shared/inbound/returns/announce-returns.ts",
    find: "writes: [...returns.insert(created), ...writes],",
    replace: "writes: [...returns.insert(created)],",
  },
  "a kit whose name keeps the old components": {
    file: "shared/catalog/synsets/synset-repository.ts",
    find: "return withEffects(saved, [changeName(after.account_id, after.synset, { items: after.items })]);",
    replace: "return saved;",
  },
  "an alias that is still found by its old SKU": {
    file: "shared/catalog/aliases/alias-repository.ts",
    find: "  ...aliasSkus.change(skuOf(before.record), skuOf(after)),\n",
    replace: "",
  },
  "a product whose new center does not keep it": {
    file: "functions/oms/inventory/products/patch-products.ts",
    find: "const moving = move === undefined ? [] :",
    replace: "const moving = move === undefined || move.center !== undefined ? [] :",
  },
};
