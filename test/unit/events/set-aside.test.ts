import { expect, onTestFinished, test, vi } from "vitest";
import { settle } from "../../../infra/operator/events/settle.ts";
import { aliasList } from "../../../shared/catalog/aliases/alias-repository.ts";
import { orderLookup } from "../../../shared/orders/storage/order-repository.ts";
import { publish } from "../../../shared/publishing/publish.ts";
import {
  findSetAsideRecord,
  ImagesReplaced,
  imagesAsRead,
  removeSetAside,
  removeSetAsideRecord,
  rewriteSetAside,
  setAside,
} from "../../../shared/publishing/set-aside.ts";
import { insertMovement } from "../../../shared/stock/movements/movement-repository.ts";
import { joined, padded } from "../../../shared/store/dynamodb/keys.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { Stale } from "../../../shared/store/dynamodb/writes.ts";
import type { ItemChange } from "../../../shared/streams/change.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt, sampleAlias } from "../samples.ts";

const unreadable = (orderId: number): ItemChange => ({
  ...orderLookup(orderId),
  id: `change-${orderId}`,
  sequence: "1",
  at: createdAt,
  before: undefined,
  after: { content: Buffer.from("no order") },
});

const created = (alias_id: number): ItemChange => ({
  id: `alias-${alias_id}`,
  sequence: "1",
  table: aliasList.table,
  key: { pk: joined(aliasList.name, 0), sk: padded(alias_id) },
  before: undefined,
  after: { ...sampleAlias({ alias_id }) },
  at: createdAt,
});

/** An error of the database, which may pass. */
const denied = () => Object.assign(new Error("denied"), { $metadata: {} });

test("a change that a stream delivers again is set aside, and counted, once", async () => {
  const { db } = faultyStore();
  const deliver = () => publish(db, [unreadable(1000)], async () => undefined);

  const figures = [await deliver(), await deliver()];

  expect(figures.map(({ set_aside }) => set_aside)).toEqual([1, 0]);
});

test("a change that is delivered again does not hide from an operator that a later one was set aside", async () => {
  const { db } = faultyStore();
  const [first, second] = [unreadable(1000), { ...unreadable(1000), id: "later", sequence: "2" }];
  await setAside(db, first, "unreadable");
  const seen = await findSetAsideRecord(db, first);
  await setAside(db, second, null);

  await setAside(db, first, "unreadable");

  if (seen === undefined) throw new Error("nothing is set aside");
  await expect(removeSetAsideRecord(db, seen)).rejects.toThrow(Stale);
});

test("a change that is set aside again after it was settled keeps its record, so that it is settled again", async () => {
  const { db } = faultyStore();
  const change = unreadable(1000);
  await setAside(db, change, "unreadable");
  const settling = await findSetAsideRecord(db, change);
  await removeSetAside(db, [change]);
  await setAside(db, change, "unreadable");

  if (settling === undefined) throw new Error("nothing is set aside");
  await expect(removeSetAsideRecord(db, settling)).rejects.toThrow(Stale);
});

test("changes that were set aside are counted although the database fails at the next one", async () => {
  const { store, db } = faultyStore();
  store.fault = (command, input) =>
    command === "TransactWriteItems" && input.includes(orderLookup(1001).key.sk) ? denied() : undefined;
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => written.mockRestore());

  const run = publish(db, [unreadable(1000), unreadable(1001)], async () => undefined);

  await expect(run).rejects.toThrow("denied");
  expect(written.mock.calls.filter(([line]) => String(line).includes('"changes_set_aside":1'))).toHaveLength(
    1,
  );
});

test("a change is published although a later one of its record can't be read, and holds back what follows", async () => {
  const { db } = faultyStore();
  const [first, second] = [created(1), { ...created(1), id: "second", sequence: "2", after: { version: 2 } }];
  const third = {
    ...first,
    id: "third",
    sequence: "3",
    before: first.after,
    after: { ...first.after, version: 3 },
  };

  const figures = await publish(db, [first, second, third], async () => undefined);

  expect(figures).toEqual({ accounts: 1, events: 1, set_aside: 2 });
});

test("a change that can't be stored in the feed holds back a later one of its record, and no other record", async () => {
  const { store, db } = faultyStore();
  store.fault = (command, input) =>
    command === "TransactWriteItems" && input.includes("alias#1") ? new Error("refused") : undefined;
  const first = created(1);
  const after = { ...first.after, version: 2 };
  const second = { ...first, id: "second", sequence: "2", before: first.after, after };

  const figures = await publish(db, [first, second, created(2)], async () => undefined);

  expect(figures).toEqual({ accounts: 1, events: 1, set_aside: 2 });
});

test("nothing is set aside if the database fails when it is asked what a change emits", async () => {
  const { store, db } = faultyStore();
  const { item } = insertMovement(
    { product_id: 7, distribution_center_id: 1, on_hand: 1, reserved: 0 },
    { reason: "recount", reference: { correction_id: 1 }, by: "user:manager", at: createdAt },
  );
  const { pk, sk } = item;
  const key = { pk, sk };
  const moved = { id: "moved", sequence: "1", table: "inventory", key, at: createdAt } as const;
  store.fault = (command) => (command === "BatchGetItem" ? denied() : undefined);

  const run = publish(db, [{ ...moved, before: undefined, after: item }], async () => undefined);

  await expect(run).rejects.toThrow("denied");
  expect(store.table("events").all).toEqual([]);
});

test("the webhooks of an account are queued if its events were stored one by one before the database failed", async () => {
  const { store, db } = faultyStore();
  const queued: number[] = [];
  store.fault = (command, input) => {
    if (command !== "TransactWriteItems" || !input.includes("alias#2")) return undefined;
    // Together they fail for a cause in the data, and alone for one in the database.
    return input.includes("alias#1") ? new Error("refused") : denied();
  };

  const run = publish(db, [created(1), created(2)], async (accountId) => void queued.push(accountId));

  await expect(run).rejects.toThrow("denied");
  expect(queued).toEqual([sampleAlias().account_id]);
});

test("a record too large to be set aside holds back its later changes, until it is given up", async () => {
  const { db } = faultyStore();
  const first = created(1);
  const huge = { ...first, after: { ...first.after, alias: "x".repeat(410_000) } };
  await setAside(db, huge, "refused");
  const after = { ...first.after, version: 2 };
  await setAside(db, { ...first, id: "alias-1-2", sequence: "2", before: first.after, after }, null);

  const [kept, givenUp] = [await settle(db, first, false), await settle(db, first, true)];

  expect(kept).toMatchObject({ events: 0, left: 2, reason: "the record is too large to be kept here" });
  expect(givenUp).toMatchObject({ events: 1, joined: 0, lost: [createdAt], left: 0 });
});

test("a change that the clock of its record dates after its publication is published once", async () => {
  const { db } = faultyStore();
  const ahead = { ...created(1), at: new Date(Date.now() + 5_000).toISOString() };
  const deliver = (change: ItemChange) => publish(db, [change], async () => undefined);

  const figures = [await deliver(ahead), await deliver(created(2)), await deliver(ahead)];

  expect(figures.map(({ events }) => events)).toEqual([1, 1, 0]);
});

test("images of a record that were replaced since they were read are no longer as they were read", async () => {
  const { db } = faultyStore();
  await setAside(db, created(1), "refused");
  const read = await findSetAsideRecord(db, created(1));
  if (read === undefined) throw new Error("the change was not set aside");

  await transact(db, [imagesAsRead(read)]);
  await rewriteSetAside(db, created(1), (stored) => ({ ...stored, alias: "erased" }));

  await expect(transact(db, [imagesAsRead(read)])).rejects.toBeInstanceOf(ImagesReplaced);
});

test("a record whose changes are settled meanwhile is neither as it was read nor set aside again", async () => {
  const { db, store } = faultyStore();
  await setAside(db, created(1), "refused");
  const read = await findSetAsideRecord(db, created(1));
  if (read === undefined) throw new Error("the change was not set aside");
  store.fault = (command) => {
    if (command !== "TransactWriteItems") return undefined;
    store.fault = () => undefined;
    for (const { pk = {}, sk = {} } of store.table("events").all)
      store.call("DeleteItem", { TableName: "events", Key: { pk, sk } });
    return undefined;
  };

  const rewritten = await rewriteSetAside(db, created(1), (stored) => ({ ...stored, alias: "erased" }));
  const asRead = transact(db, [imagesAsRead(read)]);

  await expect(asRead).rejects.toBeInstanceOf(ImagesReplaced);
  expect(rewritten).toBe(0);
  expect(store.table("events").all).toEqual([]);
});
