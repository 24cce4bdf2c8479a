/**
 * A change that can't be published hurts its own record only (docs/decisions.md, Events that are set aside).
 */
import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { productList } from "../../../../shared/catalog/products/product-lists.ts";
import { feedHeadLookup } from "../../../../shared/events/feed-repository.ts";
import { publishedLevelLookup } from "../../../../shared/publishing/feed-state.ts";
import { stockLookup } from "../../../../shared/stock/stock-repository.ts";
import { getItem, type Lookup } from "../../../../shared/store/dynamodb/reads.ts";
import { recordKey } from "../../../../shared/store/lists/block-list.ts";
import { countStock, newProduct } from "../../../support/business/world.ts";
import { newStore } from "../../../support/records/accounts.ts";
import { expectChained, expectGapless, wholeFeed } from "../../../support/records/feed.ts";
import { productOf } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import type { Store } from "../../../support/runtime/service.ts";
import { runOperator } from "../../../support/store/operator.ts";

const service = await ownService({ streams: true, goods: false });

let stores: readonly Store[] = [];
beforeEach(async () => {
  stores = [await newStore(service), await newStore(service)];
});
const storeA = () => ({ ...(stores[0] ?? service), db: service.db });
const storeB = () => ({ ...(stores[1] ?? service), db: service.db });

const lookupOf = (productId: number): Lookup => ({
  table: "inventory",
  key: recordKey(productList, productId),
});

/** Changes an item as no flow would. */
async function tamper({ table, key }: Lookup, fields: Readonly<Record<string, unknown>>): Promise<void> {
  const names = Object.keys(fields);
  await service.db.client.send(
    new UpdateCommand({
      TableName: service.db.tableName(table),
      Key: { ...key },
      UpdateExpression: `SET ${names.map((_, position) => `#${position} = :${position}`).join(", ")}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name, position) => [`#${position}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        Object.values(fields).map((value, position) => [`:${position}`, value]),
      ),
    }),
  );
}

const destroy = async ({ table, key }: Lookup): Promise<void> =>
  void (await service.db.client.send(
    new DeleteCommand({ TableName: service.db.tableName(table), Key: { ...key } }),
  ));

async function operator(...words: readonly string[]) {
  const ended = await runOperator([...words, "--json"], service.db);
  return { ...ended, data: ended.stdout === "" ? undefined : JSON.parse(ended.stdout) };
}

const asWords = ({ table, key: { pk, sk } }: Lookup): readonly string[] => [table, pk, sk];

/** The types and subjects of a feed's events. */
async function feedOf({ oms }: Store): Promise<readonly string[]> {
  const events = await wholeFeed(oms);
  expectGapless(events);
  expectChained(events);
  return events.map(({ type, subject }) => `${type} ${subject.id}`);
}

/** An unreadable product of account A with changes in the stream, before other changes of A and of B. */
async function unreadableProduct() {
  const { product_id, sku } = await newProduct(storeA());
  await service.settled();
  await tamper(lookupOf(product_id), { version: 2, weight: "heavy" });
  const other = await newProduct(storeA());
  const foreign = await newProduct(storeB());
  await service.settled();
  return { product_id, sku, other: other.product_id, foreign: foreign.product_id };
}

const logs = () => service.runtime.logs().map(({ text }) => text);

describe("an unreadable record", () => {
  test("is set aside with an alarm that names it, and all other records of all accounts go on", async () => {
    const { product_id, sku, other, foreign } = await unreadableProduct();

    const listed = await operator("events", "set-aside");

    expect(await feedOf(storeA())).toEqual([`product.created ${product_id}`, `product.created ${other}`]);
    expect(await feedOf(storeB())).toEqual([`product.created ${foreign}`]);
    const { pk, sk } = lookupOf(product_id).key;
    expect(listed.data).toContainEqual(
      expect.objectContaining({ table: "inventory", pk, sk, changes: 1, reason: "weight: invalid_type" }),
    );
    const line = logs().find(
      (one) => one.includes("change set aside: it can't be published") && one.includes(sk),
    );
    expect(JSON.parse(line ?? "{}")).toMatchObject({ level: "ERROR", table: "inventory", key: { pk, sk } });
    expect(line).not.toContain("heavy");
    expect(line).not.toContain(sku);
    expect(logs().some((one) => one.includes('"changes_set_aside":1'))).toBe(true);
    await operator("events", "skip", ...asWords(lookupOf(product_id)), "--yes");
  });

  test("is published by a retry once it is readable, in the order of its changes and from its last readable state", async () => {
    const { product_id, sku } = await unreadableProduct();
    const early = await operator("events", "retry");
    await tamper(lookupOf(product_id), { version: 3, weight: 7 });
    await storeA().oms.patch("/inventory/products", { data: [{ sku, description: "mended" }] });
    await service.settled();
    const waiting = await operator("events", "set-aside");

    const late = await operator("events", "retry", ...asWords(lookupOf(product_id)));

    expect([early.status, early.data]).toEqual([5, { events: 0, joined: 0, lost: 0, left: 1 }]);
    expect(waiting.data).toContainEqual(expect.objectContaining({ changes: 3 }));
    expect([late.status, late.data]).toEqual([0, { events: 2, joined: 1, lost: 0, left: 0 }]);
    const own = (await wholeFeed(storeA().oms)).filter(({ subject }) => subject.id === String(product_id));
    expect(
      own.map(({ type, data, previous }) => [type, data?.["weight"], data?.["description"], previous]),
    ).toEqual([
      ["product.created", 0.25, "A thing", null],
      ["product.updated", 7, "A thing", { weight: 0.25, version: 1 }],
      ["product.updated", 7, "mended", expect.objectContaining({ description: "A thing" })],
    ]);
    await feedOf(storeA());
    expect((await operator("events", "set-aside")).data).toEqual([]);
    await storeA().oms.patch("/inventory/products", { data: [{ sku, description: "again" }] });
    await service.settled();
    expect((await feedOf(storeA())).at(-1)).toBe(`product.updated ${product_id}`);
  });

  test("that is deleted is discarded by a skip, which names what is lost", async () => {
    const { product_id } = await unreadableProduct();
    await destroy(lookupOf(product_id));
    await service.settled();
    const retried = await operator("events", "retry");

    const skipped = await operator("events", "skip", ...asWords(lookupOf(product_id)), "--yes");

    expect([retried.status, retried.data.left]).toEqual([5, 2]);
    expect([skipped.status, skipped.data]).toEqual([0, { events: 0, joined: 0, lost: 1, left: 0 }]);
    expect(skipped.stderr.match(/the events of the change at \S+ are lost/g)).toHaveLength(1);
    expect((await operator("events", "set-aside")).data).toEqual([]);
    const again = await operator("events", "skip", ...asWords(lookupOf(product_id)), "--yes");
    expect([again.status, again.data.error.message]).toEqual([
      1,
      `No change of ${asWords(lookupOf(product_id)).join(" ")} is set aside`,
    ]);
  });
});

describe("what decides about events of several records, if it is unreadable, sets aside these alone:", () => {
  test("the stock record of a product", async () => {
    const [ill, well] = [await newProduct(storeA()), await newProduct(storeA())];
    await countStock(storeA(), ill.sku, { "A1/01": 5 });
    await service.settled();
    const stock = stockLookup(ill.product_id, 1);
    await tamper(stock, { account_id: "none" });
    // The bin's correction does not read the account of the stock.
    await tamper(stock, { incoming: 4 });
    await countStock(storeA(), well.sku, { "A1/01": 3 });
    await service.settled();
    const before = await feedOf(storeA());
    await tamper(stock, { account_id: storeA().accountId });
    await service.settled();

    const retried = await operator("events", "retry");

    expect(before).toContain(`stock.changed ${well.product_id}`);
    expect([retried.status, retried.data]).toEqual([0, { events: 1, joined: 0, lost: 0, left: 0 }]);
    const after = await feedOf(storeA());
    expect(after.slice(before.length)).toEqual([`stock.changed ${ill.product_id}`]);
  });

  test("a published stock level", async () => {
    const [ill, well] = [await newProduct(storeA()), await newProduct(storeA())];
    await countStock(storeA(), ill.sku, { "A1/01": 5 });
    await service.settled();
    const level = publishedLevelLookup({ product_id: ill.product_id, distribution_center_id: 1 });
    await tamper(level, { reserved: "none" });
    await tamper(stockLookup(ill.product_id, 1), { incoming: 4 });
    await countStock(storeA(), well.sku, { "A1/01": 3 });
    await service.settled();
    const before = await feedOf(storeA());
    await tamper(level, { reserved: 0 });

    const retried = await operator("events", "retry");

    expect(before).toContain(`stock.changed ${well.product_id}`);
    expect(before.filter((one) => one === `stock.changed ${ill.product_id}`)).toHaveLength(1);
    expect(retried.data).toEqual({ events: 1, joined: 0, lost: 0, left: 0 });
    expect((await feedOf(storeA())).slice(before.length)).toEqual([`stock.changed ${ill.product_id}`]);
  });

  test("the head of an account's feed", async () => {
    await newProduct(storeA());
    await service.settled();
    const head = feedHeadLookup(storeA().accountId);
    const item = await getItem(service.db, head);
    await tamper(head, { sequence: "none" });
    const waiting = await newProduct(storeA(), productOf());
    const foreign = await newProduct(storeB());
    await service.settled();
    const elsewhere = await feedOf(storeB());
    await service.db.client.send(
      new PutCommand({ TableName: service.db.tableName(head.table), Item: { ...item } }),
    );

    const retried = await operator("events", "retry");

    expect(elsewhere).toEqual([`product.created ${foreign.product_id}`]);
    expect(retried.data).toMatchObject({ events: 1, left: 0 });
    expect((await feedOf(storeA())).at(-1)).toBe(`product.created ${waiting.product_id}`);
  });
});
