import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { dayOf } from "../../../shared/common/times.ts";
import { changedSince, subjectOf } from "../../../shared/events/changes-since.ts";
import { daysStored } from "../../../shared/events/event.ts";
import { dayAttribute, feedBatchKey, feedHeadOf } from "../../../shared/events/feed-repository.ts";
import type { EventDraft, PendingEvents, StockLevelChanged } from "../../../shared/events/kind.ts";
import { feedWrites } from "../../../shared/publishing/feed-state.ts";
import type { EmittedEvents } from "../../../shared/publishing/publish.ts";
import { batchesOfEvents, numberEvents } from "../../../shared/publishing/sequencing.ts";
import { changedStockSince } from "../../../shared/stock/listing/changed-stock.ts";
import { compress, decompress } from "../../../shared/store/dynamodb/compressed.ts";
import { fitsTransaction, transact, transactionLimit } from "../../../shared/store/dynamodb/transact.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";

const batched = (pending: readonly EmittedEvents[]) => batchesOfEvents(pending, (events) => events);

const at = "2026-11-22T10:00:00.000Z";

const pendingEvents = (source: string, drafts: PendingEvents["drafts"], productId = 7): EmittedEvents => ({
  source,
  changed_at: at,
  version: "2026-11-22",
  account_id: 100,
  occurred_at: at,
  by: null,
  request_id: null,
  subject: { kind: "product", id: String(productId) },
  drafts,
});

const place = { product_id: 7, distribution_center_id: 1, sku: "TEE", distribution_center: "MAIN" };

const levelChanged = (on_hand: number, reserved = 0, of = place, text = ""): StockLevelChanged => ({
  type: "stock.changed",
  stock: of,
  units: { on_hand, reserved, incoming: 0 },
  why: { reason: "recount", text },
});

describe("a batch of pending events", () => {
  /** A movement of a product in a distribution center. `text` is all that is long about it. */
  const movement = (product_id: number, number: number, distribution_center_id = 1, text = "") =>
    pendingEvents(
      `movement#${product_id}#${number}`,
      [levelChanged(1, 0, { ...place, product_id, distribution_center_id }, text)],
      product_id,
    );
  const many = (count: number, pendingAt: (number: number) => EmittedEvents) =>
    Array.from({ length: count }, (_, position) => pendingAt(position));
  const writesOf = (changes: readonly EmittedEvents[]) => {
    const levelAt = () => ({ on_hand: 0, reserved: 0, incoming: 0 });
    const feed = { head: feedHeadOf(undefined, ""), read_at: at };
    return feedWrites(100, feed, { ...numberEvents(changes, { levelAt }, 0), changes });
  };
  const sizesOf = (pending: readonly EmittedEvents[]) => batched(pending).map(({ length }) => length);

  test("keeps the order of changes, and is filled up to the items that a transaction holds", () => {
    const pending = many(120, (number) => movement(number, number));

    const batches = batched(pending);

    expect(batches.flat()).toEqual(pending);
    expect(batches.map((batch) => writesOf(batch).length)).toEqual([transactionLimit, transactionLimit, 46]);
    expect(batches.every((batch) => fitsTransaction(writesOf(batch)))).toBe(true);
  });

  test("counts an item that several changes share once", () => {
    const inTwoCenters = many(100, (number) => movement(7, number, number % 2));

    expect(sizesOf(inTwoCenters)).toEqual([100]);
    expect(batched(inTwoCenters).map((batch) => writesOf(batch).length)).toEqual([5]);
  });

  test("holds at most the changes of one call by the stream, so that an entry stays small", () => {
    expect(sizesOf(many(101, (number) => movement(7, number)))).toEqual([100, 1]);
  });

  test("takes no more once it has enough bytes; a change that has more is a batch alone", () => {
    const pending = many(5, (number) => movement(7, number, 1, "x".repeat(number === 4 ? 300_000 : 60_000)));

    expect(sizesOf(pending)).toEqual([3, 1, 1]);
  });

  test("stores one entry for the changes of a record, with each change's name and the time of reading the head", () => {
    const [batch = []] = batched(many(3, (number) => movement(7, number)));

    const entries = writesOf(batch).filter((write) => write.kind === "insert" && "changes" in write.item);

    expect(entries).toMatchObject([{ item: { pk: "feed-subject#100#product#7", published_at: at } }]);
    expect(new Set(Object(entries[0]).item.changes).size).toBe(3);
  });

  test.each([
    [150_000, true, true],
    [250_000, true, false],
    [400_000, false, false],
  ])(
    "of %d bytes before and after, incompressible, is kept with its data: %s, and previous: %s",
    (bytes, ...kept) => {
      const text = () => ({ text: randomBytes(bytes).toString("base64") });

      const writes = writesOf([
        pendingEvents("a", [{ type: "product.updated", data: text(), previous: text() }]),
      ]);

      const batch = writes.find((write) => write.kind === "insert" && "content" in write.item);
      const [{ data, previous }] = Object(decompress(Object(batch).item.content));
      expect([data !== null, previous !== null]).toEqual(kept);
    },
  );
});

describe("sequenced events", () => {
  const created = { type: "product.created", data: {}, previous: null } as const;
  const threeOfTwoChanges = [
    pendingEvents("a", [created, { ...created, type: "product.updated" }]),
    pendingEvents("b", [created]),
  ];
  const feed = { levelAt: () => ({ on_hand: 10, reserved: 2, incoming: 0 }) };

  test("are numbered on from the feed's end, in the order of the changes", () => {
    const { events } = numberEvents(threeOfTwoChanges, feed, 57);

    expect(events.map(({ sequence, type }) => [sequence, type])).toEqual([
      [58, "product.created"],
      [59, "product.updated"],
      [60, "product.created"],
    ]);
  });

  test("have an id made of the change and the type alone, the same in every delivery", () => {
    const idsAfter = (sequence: number) =>
      numberEvents(threeOfTwoChanges, feed, sequence).events.map(({ id }) => id);

    const first = idsAfter(0);

    expect(new Set(first).size).toBe(3);
    expect(idsAfter(99)).toEqual(first);
    expect(first.every((id) => /^evt_[\w-]{24}$/.test(id))).toBe(true);
  });

  test("of stock continue from the level published last, each from the one before", () => {
    const pending = [pendingEvents("a", [levelChanged(5)]), pendingEvents("b", [levelChanged(-3, 1)])];

    const { events, levels } = numberEvents(pending, feed, 0);

    expect(events.map(({ data, previous }) => [data?.["on_hand"], data?.["available"], previous])).toEqual([
      [15, 13, { on_hand: 10, available: 8 }],
      [12, 9, { on_hand: 15, reserved: 2, available: 13 }],
    ]);
    expect(levels).toEqual([[place, { on_hand: 12, reserved: 3, incoming: 0 }]]);
  });

  test("of stock keep the levels of distribution centers apart", () => {
    const east = { ...place, distribution_center_id: 2, distribution_center: "EAST" };

    const { levels } = numberEvents(
      [pendingEvents("a", [levelChanged(5), levelChanged(1, 0, east)])],
      feed,
      0,
    );

    expect(levels.map(([, { on_hand }]) => on_hand)).toEqual([15, 11]);
  });
});

test.each([
  ["the time of a change", "10:00:05.000", "10:00:05.000", 3],
  [
    "the second in which a change was stored, if that was long after its time",
    "09:59:00.000",
    "10:00:07.000",
    1,
  ],
  ["the time of a change within the second in which it was stored", "10:00:07.900", "10:00:07.000", 0],
])("a feed is behind since %s", (_since, occurredAt, changedAt, seconds) => {
  const on = (time: string) => `2026-11-22T${time}Z`;
  const change = {
    ...pendingEvents("a", [levelChanged(1)]),
    occurred_at: on(occurredAt),
    changed_at: on(changedAt),
  };
  const feed = {
    head: feedHeadOf(undefined, ""),
    read_at: on("10:00:08.500"),
    levelAt: () => ({ on_hand: 0, reserved: 0, incoming: 0 }),
  };

  const [head] = feedWrites(100, feed, { ...numberEvents([change], feed, 0), changes: [change] });

  const set = head?.kind === "change" ? head.set : undefined;
  expect(feedHeadOf({ ...set }, feed.read_at).lagSeconds).toBe(seconds);
});

test("the head forgets the first events of days that are stored no longer", () => {
  const today = dayOf(at);
  const days = [today - daysStored - 1, today - daysStored].map((day) => [dayAttribute(day), 1]);
  const levelAt = () => ({ on_hand: 0, reserved: 0, incoming: 0 });
  const feed = { head: feedHeadOf({ sequence: 3, ...Object.fromEntries(days) }, at), read_at: at, levelAt };
  const change = pendingEvents("product#7", [levelChanged(1)]);

  const [head] = feedWrites(100, feed, { ...numberEvents([change], feed, 3), changes: [change] });

  expect(head).toMatchObject({ remove: [dayAttribute(today - daysStored - 1)] });
});

test.each([-1, 0, 1])(
  "the head notes the first event of a day unless it knows that day or a later one (%i days later)",
  (later) => {
    const latest = { [dayAttribute(dayOf(at) + later)]: 1 };
    const levelAt = () => ({ on_hand: 0, reserved: 0, incoming: 0 });
    const feed = { head: feedHeadOf({ sequence: 3, ...latest }, at), read_at: at, levelAt };
    const change = pendingEvents("product#7", [levelChanged(1)]);

    const [head] = feedWrites(100, feed, { ...numberEvents([change], feed, 3), changes: [change] });

    const set = head?.kind === "change" ? head.set : {};
    expect(set?.[dayAttribute(dayOf(at))]).toBe(later < 0 ? 4 : undefined);
  },
);

const hour = 3_600_000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

/** A feed of one batch, which is kept for long. */
async function feedOf(
  occurred_at: string,
  published_at: string,
  draft: PendingEvents["drafts"][number] = levelChanged(1),
) {
  const pending = { ...pendingEvents("product#7", [draft]), occurred_at };
  const levelAt = () => ({ on_hand: 0, reserved: 0, incoming: 0 });
  const feed = { head: feedHeadOf(undefined, ""), read_at: published_at };
  const writes = feedWrites(100, feed, { ...numberEvents([pending], { levelAt }, 0), changes: [pending] });
  const { db } = faultyStore();
  await transact(
    db,
    writes.map((write) =>
      write.kind === "insert" && "content" in write.item
        ? { ...write, item: { ...write.item, expires_at: Number(write.item["expires_at"]) + 10 * 86_400 } }
        : write,
    ),
  );
  return db;
}

test.each([
  ["an hour after it", 1, []],
  ["an hour before it", 3, [7]],
])(
  "changes are found by when they were published, however long batches are stored: since %s",
  async (_case, hours, found) => {
    const db = await feedOf(ago(2 * hour), ago(2 * hour));

    const read = await changedSince(db, 100, ago(hours * hour), subjectOf("stock."));

    expect([...(read?.changed ?? [])]).toEqual(found);
  },
);

test("a change is found although the clock of its publisher was some seconds behind", async () => {
  const db = await feedOf(ago(hour), ago(hour + 8_000));

  const read = await changedSince(db, 100, ago(hour + 1_000), subjectOf("stock."));

  expect([...(read?.changed ?? [])]).toEqual([7]);
});

test.each([
  ["matches more than 10000 changed records", 10_000, 1],
  ["is followed by more than 50000 events", 50_000, 0],
])("a time that %s is refused", async (message, most, difference) => {
  const since = async (count: number) => {
    const db = await feedOf(ago(hour), ago(hour));
    const events = Array.from({ length: count }, (_, position) => ({
      type: "stock.changed",
      occurred_at: ago(hour),
      subject: { id: String(position * difference) },
      data: null,
      previous: null,
    }));
    const set = { content: compress(events) };
    await transact(db, [{ kind: "change", table: "events", key: feedBatchKey(100, 1), set, when: [] }]);
    return changedSince(db, 100, ago(2 * hour), subjectOf("stock."));
  };

  await expect(since(most + 1)).rejects.toThrow(`updated_since ${message}; read GET`);
});

test.each<[string, EventDraft, readonly string[]]>([
  [
    "its creation on",
    { type: "product.created", data: { product_id: 7, distribution_center: null }, previous: null },
    ["7@MAIN"],
  ],
  [
    "the change of its center on",
    {
      type: "product.updated",
      data: { product_id: 7, distribution_center: "EAST" },
      previous: { distribution_center: null },
    },
    ["7@EAST"],
  ],
  [
    "no other change on",
    { type: "product.updated", data: { product_id: 7, distribution_center: "EAST" }, previous: { upc: "1" } },
    [],
  ],
])("a product has stock in its center from %s", async (_case, draft, names) => {
  const db = await feedOf(ago(hour), ago(hour), draft);

  const read = await changedStockSince({ db, account_id: 100 }, ago(2 * hour));

  expect([...(read?.changed ?? [])]).toEqual(names);
});
