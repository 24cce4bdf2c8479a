import { describe, expect, test } from "vitest";
import { aliases, saveAlias } from "../../../shared/catalog/aliases/alias-repository.ts";
import { products } from "../../../shared/catalog/products/product-repository.ts";
import { newSynset } from "../../../shared/catalog/synsets/synset.ts";
import { saveSynset, synsets } from "../../../shared/catalog/synsets/synset-repository.ts";
import { replenishments, saveReplenishment } from "../../../shared/inbound/inbound-repository.ts";
import { incomingChanges } from "../../../shared/inbound/replenishments/replenishment.ts";
import { orders } from "../../../shared/orders/storage/order-repository.ts";
import { saveOrder } from "../../../shared/orders/storage/save-order.ts";
import { createdAt, replenishmentOf, sampleAlias, sampleOrder, sampleProduct } from "../samples.ts";

describe("nothing is written of a record that changed nothing:", () => {
  const [order, product, alias, replenishment] = [
    sampleOrder(),
    sampleProduct(),
    sampleAlias(),
    replenishmentOf(),
  ];
  const items = [{ sku: "TEE", product_id: 1, quantity: 2 }];
  const synset = newSynset({ synset: "KIT", items }, { account_id: 100, synset_id: 4001, at: createdAt });

  test.each([
    ["an order", () => saveOrder({ ...orders.written(order), recent: [] }, order, "account:100").writes],
    ["a product", () => products.save(products.written(product), product)],
    ["an alias", () => saveAlias(aliases.written(alias), alias, "data.0")],
    ["a synset", () => saveSynset(synsets.written(synset), { ...synset })],
    ["a replenishment", () => saveReplenishment(replenishments.written(replenishment), replenishment)],
    ["incoming stock", () => incomingChanges(replenishment, replenishment)],
  ])("%s", (_kind, save) => {
    expect(save()).toEqual([]);
  });
});
