/**
 * What a record's answer shows can be sent back and changes nothing (docs/decisions.md, Sending what was
 * read).
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { endpoint as patchAliases } from "../../../functions/oms/inventory/aliases/patch-aliases.ts";
import { endpoint as patchProducts } from "../../../functions/oms/inventory/products/patch-products.ts";
import { endpoint as patchReplenishments } from "../../../functions/oms/inventory/replenishments/patch-replenishments.ts";
import { endpoint as patchSynsets } from "../../../functions/oms/inventory/synsets/patch-synsets.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import * as aliases from "../../../shared/catalog/aliases/alias.ts";
import { resolveAlias } from "../../../shared/catalog/aliases/alias-references.ts";
import { aliasRecord } from "../../../shared/catalog/aliases/alias-view.ts";
import * as products from "../../../shared/catalog/products/product.ts";
import { productRecord } from "../../../shared/catalog/products/product-view.ts";
import * as synsets from "../../../shared/catalog/synsets/synset.ts";
import { resolveComponents } from "../../../shared/catalog/synsets/synset-references.ts";
import { synsetRecord } from "../../../shared/catalog/synsets/synset-view.ts";
import type { FieldError } from "../../../shared/common/problem.ts";
import { unreadFields } from "../../../shared/http/request/unread-fields.ts";
import { reapplyPutAway, withLines } from "../../../shared/inbound/inbound.ts";
import { presentReplenishment, replenishmentRecord } from "../../../shared/inbound/inbound-view.ts";
import { announced } from "../../../shared/inbound/replenishments/replenishment.ts";
import {
  resolveReplenishments,
  revise,
} from "../../../shared/inbound/replenishments/replenishment-references.ts";
import { type Order, placed } from "../../../shared/orders/order.ts";
import { orderInput } from "../../../shared/orders/order-input.ts";
import { type OrderReferences, resolveTerms } from "../../../shared/orders/order-references.ts";
import { edit } from "../../../shared/orders/order-transitions.ts";
import { orderWithHistory, presentOrderWithHistory } from "../../../shared/orders/order-view.ts";
import { eta, linesOf, maybe, orderFields, productFields } from "../../support/records/arbitraries.ts";
import { accepted, createdAt, later } from "../samples.ts";

/** What a client sends that sends back what it was answered. Holds that no field of it is unknown. */
function sentBack<B extends z.core.$ZodType>(
  { body, answers }: { readonly body: B; readonly answers: readonly z.core.$ZodType[] },
  answer: object,
): z.output<B> {
  const sent: unknown = JSON.parse(JSON.stringify({ data: [answer] }));
  expect(unreadFields(sent, body, answers).warnings).toEqual([]);
  return z.parse(body, sent);
}

/** The only record of a body. */
function only<T>({ data: [record] }: { readonly data: readonly T[] }): T {
  if (record === undefined) throw new Error("the body has no record");
  return record;
}

const identity = { account_id: 100, at: createdAt };
const none: FieldError[] = [];

describe("a product that is sent back is the product as it was", () => {
  const { request, response } = patchProducts;
  const known = { suppliers: ["Acme Supply"], packageTypes: ["BOX-S"], centers: ["MAIN", "EAST"] };

  test("whatever its fields are", () => {
    fc.assert(
      fc.property(productFields(known), (fields) => {
        const input = z.parse(products.productInput, { sku: "TEE", ...fields });
        const before = products.created(input, { ...identity, product_id: 2001 });

        const body = { body: request.shape.body, answers: [response] };
        const sent = only(sentBack(body, z.parse(productRecord, before)));

        expect(products.patched(before, sent, later)).toBe(before);
      }),
    );
  });
});

describe("an alias that is sent back is the alias as it was", () => {
  const { request, response } = patchAliases;
  const centers = new Map([["EAST", { distribution_center_id: 2, code: "EAST" }]]);
  const references = {
    product: () => ({ product_id: 2001 }),
    hasStore: () => true,
    center: (code: string) => centers.get(code),
    holder: () => 3001,
    accepted,
  };
  const place = { path: "data.0", repeats: false, own: { alias_id: 3001, alias: "EXT-TEE" } };

  test.each([
    { distribution_center: null, channel_id: 2 },
    { channel_id: null },
    { distribution_center: "", channel_id: "" },
    { distribution_center: "EAST", channel_id: 2 },
  ])("made of %j", (fields) => {
    const terms = (sent: aliases.AliasInput) => {
      const resolved = resolveAlias(sent, references, place);
      if ("errors" in resolved) throw new Error(JSON.stringify(resolved.errors));
      return resolved.terms;
    };
    const input = { sku: "TEE", alias: "EXT-TEE", ...fields };
    const before = aliases.created(terms(z.parse(aliases.aliasInput, input)), {
      ...identity,
      alias_id: 3001,
    });

    const body = { body: request.shape.body, answers: [response] };
    const sent = only(sentBack(body, z.parse(aliasRecord, before)));

    expect(aliases.patched(before, terms(aliases.requested(before, sent)), later)).toBe(before);
  });
});

const skus = ["A", "B", "C"];
const productOf = (sku: string, distribution_center_id = 1) => ({
  sku,
  product_id: 1000 + skus.indexOf(sku),
  distribution_center_id,
});
const product = (sku: string) => (skus.includes(sku) ? productOf(sku) : undefined);

describe("a synset that is sent back is the synset as it was", () => {
  const { request, response } = patchSynsets;

  test("whatever its components are", () => {
    fc.assert(
      fc.property(linesOf(skus), (lines) => {
        const components = (sent: synsets.SynsetInput["items"]) =>
          resolveComponents(sent, { product }, "data.0", none);
        const terms = { synset: "KIT", items: components([...lines]) };
        const before = synsets.created(terms, { ...identity, synset_id: 4001 });

        const body = { body: request.shape.body, answers: [response] };
        const answer = z.parse(synsetRecord, { ...before, available: 3, limited_by: "A" });
        const { items } = only(sentBack(body, answer));

        expect(items && synsets.patched(before, components(items), later)).toBe(before);
      }),
    );
  });
});

describe("a replenishment that is sent back is the replenishment as it was", () => {
  const { request, response } = patchReplenishments;
  const centers = [
    { distribution_center_id: 1, code: "MAIN" },
    { distribution_center_id: 2, code: "EAST" },
  ];
  const references = {
    product,
    accepted,
    center: (code: string | null | undefined) => centers.find((center) => center.code === (code ?? "MAIN")),
  };

  test("whatever it holds, how much of that is put away, and when it is due", () => {
    const fields = fc.record({
      reference: maybe(fc.constantFrom("PO-1", " PO 2 ")),
      items: fc.tuple(linesOf(skus), linesOf(skus)).map((lines) => lines.flat()),
      distribution_center: maybe(fc.constantFrom("MAIN", "EAST")),
      eta,
    });
    fc.assert(
      fc.property(fields, fc.array(fc.nat({ max: 1000 })), ({ items, ...others }, stowed) => {
        const input = z.parse(patchReplenishments.request.shape.body, {
          data: [{ replenishment_id: 1, items, ...others }],
        });
        const [terms] = resolveReplenishments([{ ...only(input), items }], references);
        if (terms === undefined) throw new Error("no terms");
        const filled = terms.items.map((line, position) => ({
          ...line,
          put_away: Math.min(line.quantity, stowed[position] ?? 0),
        }));
        const fresh = announced(terms, { ...identity, replenishment_id: 5001 });
        const before = withLines(fresh, reapplyPutAway(filled, terms.items), createdAt);

        const body = { body: request.shape.body, answers: [response] };
        const answer = z.parse(replenishmentRecord, presentReplenishment(before));
        const decision = revise(before, only(sentBack(body, answer)), references, "data.0", later);

        expect("after" in decision && decision.after).toBe(before);
      }),
    );
  });
});

describe("an order that is sent back is the order as it was", () => {
  const { request, response, alsoShown } = updateOrders;
  const store = { id: 1, name: "Web" };
  const kits = new Map([
    ["KIT", { A: 1, B: 2 }],
    ["BOX", { C: 3 }],
  ]);
  /** What names meant when the order was placed. */
  const then: OrderReferences = {
    hasShippingMethod: () => true,
    holderOf: () => undefined,
    accepted,
    storeNamed: (name) => (name === store.name ? store : undefined),
    storeWithId: (id) => (id === store.id ? store : undefined),
    product,
    alias: (_channel, name) => (name === "EXT" ? productOf("A") : undefined),
    kit: (name) => {
      const parts = kits.get(name);
      return parts && Object.entries(parts).map(([sku, quantity]) => ({ ...productOf(sku), quantity }));
    },
  };
  /** What they mean by now: another kit, no alias, and products that are kept elsewhere. */
  const now: OrderReferences = {
    ...then,
    product: (sku) => (skus.includes(sku) ? productOf(sku, 2) : undefined),
    alias: () => undefined,
    kit: (name) => (kits.has(name) ? [{ ...productOf("C", 2), quantity: 7 }] : undefined),
  };
  const carts = [{ id: 1 }, { store_name: "Web" }, { id: 1, store_name: "Web" }];
  const states: fc.Arbitrary<Partial<Order>> = fc.constantFrom(
    {},
    { status: "Processing", picker: "ann", sub_status: "rush" },
    { status: "Shipped", tracking_number: "T-1", shipped_at: later, weight: 2.5, weight_updated_at: later },
    { status: "Cancelled", cancelled_at: later },
  );

  test("whatever was ordered, whatever its names mean by now, and whatever became of it", () => {
    const fields = orderFields([...skus, "EXT", ...kits.keys()], carts);
    fc.assert(
      fc.property(fields, states, fc.nat({ max: 3 }), (sent, state, returned) => {
        const input = { order_number: "O-1", shipping_method: "GROUND", ...sent };
        const resolved = resolveTerms(z.parse(orderInput, input), then, "data.0");
        // Without a cart no alias is known.
        fc.pre("terms" in resolved);
        if ("errors" in resolved) return;
        const made = placed(resolved.terms, {
          ...identity,
          order_id: 6001,
          order_api: "x-y",
          by: "account:100",
        });
        const items = made.items.map((item) => ({ ...item, returned: Math.min(item.quantity, returned) }));
        const before: Order = { ...made, ...state, ...(state.status === "Shipped" ? { items } : {}) };

        const history = [{ at: later, by: "account:100", status: { from: null, to: "Pending" } }];
        const answer = z.parse(orderWithHistory, presentOrderWithHistory(before, history));
        const answers = [response, ...(alsoShown === undefined ? [] : [alsoShown])];
        const { order_number = "", ...back } = only(sentBack({ body: request.shape.body, answers }, answer));
        const again = resolveTerms({ ...back, order_number }, now, "data.0", before);

        if ("errors" in again) throw new Error(JSON.stringify(again.errors));
        const decision = edit(before, again.terms, later);
        expect("after" in decision && decision.after).toBe(before);
      }),
    );
  });
});
