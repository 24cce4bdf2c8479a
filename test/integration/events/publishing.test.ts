/**
 * A change is published once, whenever it is delivered, and however much of its record was published
 * meanwhile.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Alias } from "../../../shared/catalog/aliases/alias.ts";
import { aliasList } from "../../../shared/catalog/aliases/alias-repository.ts";
import { clockSkewMs } from "../../../shared/common/times.ts";
import { readEvents } from "../../../shared/events/feed-repository.ts";
import type { FeedMemories } from "../../../shared/publishing/feed-memory.ts";
import { publish } from "../../../shared/publishing/publish.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { joined, padded } from "../../../shared/store/dynamodb/keys.ts";
import type { ItemChange } from "../../../shared/streams/change.ts";
import { operations, pick, randomFrom, whole } from "../../support/http/random.ts";
import { newAccountId } from "../../support/records/accounts.ts";
import { publishEvents } from "../../support/records/publish-events.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

let accountId = 0;
const service = await sharedService();

const start = Date.parse("2026-11-22T10:00:00.000Z");
const minute = 60_000;

beforeEach(() => {
  // The events of an account need no account.
  accountId = newAccountId();
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => vi.useRealTimers());

/** Milliseconds after the start as a time, as a stream gives it. */
const timeAfter = (milliseconds: number): string => new Date(start + milliseconds).toISOString();

const aliasAt = (alias_id: number, version: number): Alias => ({
  account_id: accountId,
  alias_id,
  sku: "TEE",
  product_id: 1,
  alias: `TEE-${version}`,
  channel_id: null,
  distribution_center: null,
  distribution_center_id: null,
  created_at: timeAfter(0),
  updated_at: timeAfter(0),
  version,
});

/** A change of an alias to this version, made so many milliseconds after the start. */
const changeTo = (version: number, madeAfter: number, aliasId = 1): ItemChange => ({
  id: `change-${aliasId}-${version}`,
  sequence: String(version),
  table: aliasList.table,
  key: { pk: joined(aliasList.name, 0), sk: padded(aliasId) },
  before: { ...aliasAt(aliasId, version - 1) },
  after: { ...aliasAt(aliasId, version) },
  at: timeAfter(madeAfter),
});

/** What the instance with a connection remembers. */
const memories = new Map<Database, FeedMemories>();

/**
 * Publishes changes with a clock that is so many milliseconds after the start.
 * @returns the number of events
 */
async function deliver(changes: readonly ItemChange[], clock: number, db = service.db): Promise<number> {
  vi.setSystemTime(start + clock);
  const remembered = memories.get(db) ?? new Map();
  memories.set(db, remembered);
  const { events } = await publish(db, changes, async () => undefined, remembered);
  return events;
}

/** The names of aliases in the feed's events, in order. */
async function publishedNames(): Promise<readonly unknown[]> {
  const { events } = await readEvents(service.db, accountId, { after: 0, limit: 1000 }, 100);
  return events.map(({ data }) => data?.["alias"]);
}

/**
 * A connection that hands each command's name to `before`, ahead of sending it. What is set aside does not
 * count.
 */
function watched(before: (command: string) => Promise<void> | void): Database {
  const db = service.connect();
  db.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (!JSON.stringify(args.input).includes('"set-aside"')) await before(String(context["commandName"]));
      return next(args);
    },
    { step: "initialize", name: "watch" },
  );
  return db;
}

describe("a change with more later changes of its record than two pages of entries list", () => {
  // The pages hold 16 and 64 entries. Each minute but the second has one.
  const [lost, last] = [2, 83];
  let historic = 0;
  beforeAll(async () => {
    historic = accountId = newAccountId();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    for (let version = 1; version <= last; version += 1) {
      const madeAfter = (version - 1) * minute;
      if (version !== lost) await deliver([changeTo(version, madeAfter)], madeAfter + 1_000);
    }
  });
  // The tests look at the same account.
  beforeEach(() => {
    accountId = historic;
  });

  test("that is delivered again an hour later is not published twice", async () => {
    const again = await deliver([changeTo(1, 0), changeTo(50, 49 * minute)], last * minute);

    expect(again).toBe(0);
    expect(await publishedNames()).toHaveLength(last - 1);
  });

  test("is not published twice by an instance that reads only the latest batches of the feed", async () => {
    const instance = service.connect();

    expect(await deliver([changeTo(1, 0)], last * minute, instance)).toBe(0);
  });

  test("that was never delivered is published, behind the later ones", async () => {
    const events = await deliver([changeTo(lost, minute)], last * minute);

    expect(events).toBe(1);
    const names = await publishedNames();
    expect(names).toHaveLength(last);
    expect(names.at(-1)).toBe("TEE-2");
  });

  test("that is later than they are is searched for in one page of their entries", async () => {
    let queries = 0;
    const db = watched((command) => {
      if (command === "QueryCommand") queries += 1;
    });

    const events = await deliver([changeTo(150, last * minute)], last * minute, db);

    expect([events, queries]).toEqual([1, 1]);
  });
});

describe("a change", () => {
  test("that is delivered together with others is not written in vain if another publisher stores events meanwhile", async () => {
    const sent: string[] = [];
    const db = watched(async (command) => {
      sent.push(command);
      // The head is read a second time before anything is stored.
      if (command === "GetItemCommand" && sent.filter((one) => one === command).length === 2)
        await deliver([changeTo(1, 0, 9)], 1_000);
    });

    const events = await deliver([changeTo(1, 0, 1), changeTo(1, 0, 2), changeTo(1, 0, 3)], 1_000, db);

    expect(events).toBe(3);
    expect(sent.filter((command) => command === "TransactWriteItemsCommand")).toHaveLength(1);
    expect(await publishedNames()).toHaveLength(4);
  });

  test("that is delivered again together with new ones leaves them their place", async () => {
    await deliver([changeTo(1, 0), changeTo(2, 1_000)], 2_000);

    const delivered = [changeTo(2, 1_000), changeTo(3, 3_000), changeTo(3, 3_000), changeTo(1, 3_000, 2)];
    const events = await deliver(delivered, 4_000);

    expect(events).toBe(2);
    expect(await publishedNames()).toEqual(["TEE-1", "TEE-2", "TEE-3", "TEE-1"]);
  });

  test("is not published twice if the publisher's clock was seconds behind", async () => {
    await deliver([changeTo(1, 0)], -9_000);

    expect(await deliver([changeTo(1, 0)], 1_000)).toBe(0);
  });

  test("is not published twice if a clock as far behind as allowed has dated it and a later batch alike", async () => {
    await deliver([changeTo(1, 0)], -clockSkewMs);
    await deliver([changeTo(1, 0, 2)], -clockSkewMs);

    expect(await deliver([changeTo(1, 0)], 1_000, service.connect())).toBe(0);
  });

  test("is not published twice if another publisher began before it was made, and stored after it", async () => {
    let isFirst = true;
    const slow = watched(async (command) => {
      if (command !== "GetItemCommand" || !isFirst) return;
      isFirst = false;
      await deliver([changeTo(2, 20_000)], 21_000);
    });
    await deliver([changeTo(1, 0)], 1_000, slow);

    const again = await deliver([changeTo(2, 20_000)], 22_000);

    expect(again).toBe(0);
    expect(await publishedNames()).toEqual(["TEE-2", "TEE-1"]);
  });
});

describe("an instance", () => {
  test("reads the feed back to its latest changes, and searches no record for them", async () => {
    let queries = 0;
    const db = watched((command) => {
      if (command === "QueryCommand") queries += 1;
    });
    const records = Array.from({ length: 20 }, (_, position) => position + 1);
    const changesTo = (version: number, madeAfter: number) =>
      records.map((record) => changeTo(version, madeAfter, record));
    await deliver([changeTo(1, 0, 99)], 1_000);
    await deliver([changeTo(2, 19_000, 99)], 20_000);

    const fresh = [await deliver(changesTo(1, 20_000), 21_000, db), queries];
    const again = [await deliver(changesTo(1, 20_000), 22_000, db), queries];

    expect(fresh).toEqual([20, 1]);
    // The events since are read by one more query.
    expect(again).toEqual([0, 2]);
    expect(await publishedNames()).toHaveLength(22);
  });

  test("searches a record again for a change whose event it has read and forgotten", async () => {
    const other = service.connect();
    const db = service.connect();
    await deliver([changeTo(1, 0)], 1_000, db);
    await deliver([changeTo(2, 20_000)], 21_000, other);
    await deliver([changeTo(1, 22_000, 2)], 23_000, db);
    // An instance remembers 20,000 events. The next run reads these and forgets the earliest.
    const types = Array.from({ length: 5_001 }, () => "order.updated");
    for (let call = 0; call < 4; call += 1) await publishEvents({ db: service.db, accountId }, ...types);

    const again = await deliver([changeTo(2, 20_000)], 90_000, db);

    expect(again).toBe(0);
  });

  test("publishes each change once, whatever others publish, and however often it is delivered", async () => {
    const random = randomFrom(17);
    const instances = [1, 2, 3].map(() => service.connect());
    const changes = Array.from({ length: operations(60, 600) }, (_, position) =>
      changeTo(Math.floor(position / 5) + 1, position * 1_500, (position % 5) + 1),
    );
    for (let delivered = 0; delivered < changes.length; ) {
      const from = Math.max(0, delivered - whole(random, 0, 12));
      const until = Math.min(changes.length, delivered + whole(random, 1, 4));
      const clock = until * 1_500 + whole(random, 0, 20_000);
      const publishers = Array.from({ length: whole(random, 1, 2) }, () => pick(random, instances));
      await Promise.all(publishers.map((db) => deliver(changes.slice(from, until), clock, db)));
      delivered = until;
    }

    const names = await publishedNames();
    expect(names).toHaveLength(changes.length);
    const { events } = await readEvents(service.db, accountId, { after: 0, limit: 1000 }, 1000);
    const ids = events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(changes.length);
  });
});

test("publishing takes a whole batch of one record's changes into one transaction, and of many records as many as it holds", async () => {
  const ofOne = Array.from({ length: 100 }, (_, position) => changeTo(position + 1, 0));
  const ofMany = Array.from({ length: 100 }, (_, position) => changeTo(1, 0, position + 2));
  let transactions = 0;
  const db = watched((command) => {
    if (command === "TransactWriteItemsCommand") transactions += 1;
  });

  const first = [await deliver(ofOne, 1_000, db), transactions];
  const both = [await deliver(ofMany, 2_000, db), transactions];

  expect([first, both]).toEqual([
    [100, 1],
    [100, 3],
  ]);
});

test("a page holds events of 3 MB at most, and a larger event alone", async () => {
  const owner = { db: service.db, accountId };
  const eventOf = (megabytes: number) => ({
    type: "order.created",
    data: { text: "x".repeat(megabytes * 1_000_000) },
  });
  await publishEvents(owner, ...[1, 1.5, 1, 3.5, 1].map(eventOf));
  const pageAfter = (after: number) => readEvents(service.db, accountId, { after, limit: 100 });

  const pages = [];
  for (const after of [0, 2, 3, 4]) pages.push(await pageAfter(after));

  const sequences = pages.map(({ events }) => events.map(({ sequence }) => sequence));
  expect(sequences).toEqual([[1, 2], [3], [4], [5]]);
  expect(pages.map(({ isEnd }) => isEnd)).toEqual([false, false, false, true]);
});
