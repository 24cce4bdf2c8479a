import { setImmediate as immediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { dropMovements } from "../../../infra/operator/history/drop-movements.ts";
import {
  runningTotalsCheck,
  type Verification,
  verifySuspects,
} from "../../../infra/operator/verify/index.ts";
import { productList } from "../../../shared/catalog/products/product-lists.ts";
import { type Hold, partsOfHold } from "../../../shared/stock/holds/hold.ts";
import { insertHold, reduceHold, releaseEnded } from "../../../shared/stock/holds/hold-repository.ts";
import { movementPartition, weekAt } from "../../../shared/stock/movements/movement-repository.ts";
import { openStock } from "../../../shared/stock/open-stock.ts";
import { levelsAt as levelsOf } from "../../../shared/stock/past/past-levels.ts";
import { expectKept, pastStockOf } from "../../../shared/stock/past/past-stock.ts";
import { readWeek } from "../../../shared/stock/past/running-totals.ts";
import { totalChanges, totalProduct } from "../../../shared/stock/past/total-movements.ts";
import { emptyStock } from "../../../shared/stock/product-stock.ts";
import { stockEntriesOf } from "../../../shared/stock/stock.ts";
import { stockItemsOf } from "../../../shared/stock/stock-levels.ts";
import { changeHeldStock, changeStock, stockLookup } from "../../../shared/stock/stock-repository.ts";
import { queryRange, type RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { Busy } from "../../../shared/store/dynamodb/retry.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import { recordKey } from "../../../shared/store/lists/block-list.ts";
import type { ItemChange } from "../../../shared/streams/change.ts";
import { Random } from "../../simulation/schedule/random.ts";
import { MemoryStore } from "../../simulation/store/store.ts";
import { connectionTo, newConnection, useStore } from "../../simulation/world/connection.ts";
import { holdOf } from "../samples.ts";

const day = 86_400_000;
const opened = "2026-09-01T00:00:00.000Z";
const now = "2026-09-30T00:00:00.000Z";
const product = { account_id: 100, product_id: 7, sku: "TEE" };
const codes = ["MAIN", "EAST"];

/** What is added to the stock of a center at a time. */
interface Moved {
  readonly center: number;
  readonly at: string;
  readonly on_hand: number;
  readonly reserved: number;
}

/** A store that notes how many items each query read. */
class CountingStore extends MemoryStore {
  readonly reads: number[] = [];
  afterRead = (): void => {};

  override call(...call: Parameters<MemoryStore["call"]>): ReturnType<MemoryStore["call"]> {
    const answer = super.call(...call);
    if ("ScannedCount" in answer && answer.ScannedCount !== undefined) {
      this.reads.push(answer.ScannedCount);
      this.afterRead();
    }
    return answer;
  }
}

let store: CountingStore;
let db: ReturnType<typeof newConnection>;
beforeEach(async () => {
  store = new CountingStore();
  useStore(store);
  db = newConnection();
  await transact(
    db,
    codes.flatMap((code, position) =>
      openStock(emptyStock(product, { distribution_center_id: position + 1, code }), opened),
    ),
  );
});

const causeAt = (at: string) =>
  ({ reason: "recount", reference: { correction_id: 1 }, by: "user:manager", at }) as const;

const move = ({ center, at, ...units }: Moved) =>
  transact(db, changeStock([{ product_id: 7, distribution_center_id: center, ...units }], causeAt(at)));

const itemsOfWeek = (week: number, productId = 7): Promise<readonly RawItem[]> =>
  queryRange(db, { table: "inventory", pk: movementPartition(productId, week) });

/** The changes by which movements of these times were stored. */
async function changesOf(moved: readonly Pick<Moved, "at">[], productId = 7): Promise<readonly ItemChange[]> {
  const times = new Set(moved.map(({ at }) => at));
  const ofWeeks = [...new Set(moved.map(({ at }) => weekAt(at)))];
  const items = await Promise.all(ofWeeks.map((week) => itemsOfWeek(week, productId)));
  return items
    .flat()
    .filter(({ at }) => times.has(String(at)))
    .map((after) => ({
      id: String(after["sk"]),
      sequence: "1",
      table: "inventory",
      key: { pk: String(after["pk"]), sk: String(after["sk"]) },
      before: undefined,
      after,
      at: String(after["at"]),
    }));
}

const levelsAt = async (at: string, present = now) =>
  (await pastStockOf({ db, account_id: 100, now: present }, 7, at)).map(({ on_hand, reserved }) => [
    on_hand,
    reserved,
  ]);

/** As `levelsAt`, where the stock is read for a list. */
async function listedAt(at: string, present: string, stock?: readonly RawItem[]) {
  const read = await levelsOf(db, 7, { at, now: present }, stock ?? (await stockItemsOf(db, 7)));
  return read.levels.map(({ on_hand, reserved }) => [on_hand, reserved]);
}

/** Levels of the centers with so many units, of which none is reserved. */
const onHand = (...units: readonly number[]) => units.map((on_hand) => [on_hand, 0]);

/** What all movements up to a time add up to, one after another. */
const summedAt = (moved: readonly Moved[], at: string) =>
  codes.map((_, position) => {
    const meant = moved.filter((one) => one.center === position + 1 && one.at <= at);
    const sum = (name: "on_hand" | "reserved") => meant.reduce((total, one) => total + one[name], 0);
    return [sum("on_hand"), sum("reserved")];
  });

/** Random movements of four weeks; one in ten is stored behind later ones. */
function randomMovements(random: Random, count: number): readonly Moved[] {
  const times = Array.from({ length: count }, () => Date.parse(opened) + random.below(28 * day)).toSorted(
    (left, right) => left - right,
  );
  const moved = times.map((time) => ({
    center: 1 + random.below(2),
    at: new Date(time).toISOString(),
    on_hand: random.below(20) - 5,
    reserved: random.below(9) - 4,
  }));
  const late = moved.filter(() => random.happens(0.1));
  const inTime = moved.filter((one) => !late.includes(one));
  for (const one of late) inTime.splice(random.below(inTime.length), 0, one);
  return inTime;
}

/** A hold that is stored, and what moves the stock when it ends. */
interface PlacedHold {
  held: Hold;
  readonly ending: { -readonly [name in keyof Moved]: Moved[name] };
}

/** Places a hold, which ends within two days by default. */
async function place(
  random: Random,
  at: string,
  check_at = new Date(Date.parse(at) + 30_000 + random.below(2 * day)).toISOString(),
): Promise<PlacedHold> {
  const [center, quantity] = [1 + random.below(2), 1 + random.below(9)];
  const goods = [{ product_id: 7, distribution_center_id: center, quantity: 1 }];
  const distribution_center = codes[center - 1] ?? null;
  const held = holdOf(check_at, { product_id: 7, quantity, goods, distribution_center, created_at: at });
  const parts = partsOfHold(held, quantity, { reason: "hold_created", by: "account:100", at });
  await transact(db, [insertHold(held), ...changeHeldStock(stockEntriesOf(parts))]);
  return { held, ending: { center, at: check_at, on_hand: 0, reserved: -quantity } };
}

/** Gives back some of a hold's units, as an order or DELETE does. Returns the movement. */
async function useOf(placed: PlacedHold, random: Random, at: string): Promise<Moved> {
  const { held, ending } = placed;
  const units = random.below(held.quantity + 1);
  const left = held.quantity - units;
  const parts = partsOfHold(held, -units, { reason: "hold_used", by: "account:100", at });
  await transact(db, [reduceHold(held, left), ...changeHeldStock(stockEntriesOf(parts))]);
  placed.held = { ...held, quantity: left };
  ending.reserved = -left;
  return { ...ending, at, reserved: -units };
}

/** Verifies the running totals; returns what is reported of how many movements. */
async function verifiedTotals(repairer?: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const report: Verification["report"] = (finding) => {
    if (finding.kind !== "difference") throw new Error(JSON.stringify(finding));
    found.push(finding.actual);
  };
  const verification = { db, accountId: undefined, repairer, report, settleMs: 0, retryBudgetMs: 1_000 };
  const pass = runningTotalsCheck(verification, { hasProduct: () => true });
  for (const week of weeks)
    for (const item of await itemsOfWeek(week)) for (const { read } of pass.readers) read(item);
  await verifySuspects(verification, pass.end().suspects());
  return found;
}

const weeks = [0, 7, 14, 21, 28].map((days) =>
  weekAt(new Date(Date.parse(opened) + days * day).toISOString()),
);

describe("running totals", () => {
  const parts = ["week", "earlier"] as const;
  // Of 40 movements, so few are in the first week that none carries totals.
  test.each(parts.flatMap((part) => [40, 120].map((count) => [part, count] as const)))(
    "are verified: a wrong sum of the %s is found and repaired, with %i movements",
    async (part, count) => {
      for (const one of randomMovements(new Random(5), count)) await move(one);
      await totalProduct(db, 7);
      const carrying = (await Promise.all(weeks.map((week) => itemsOfWeek(week))))
        .flat()
        .filter(({ totals }) => totals !== undefined);
      expect(await verifiedTotals()).toEqual([]);
      expect(carrying.some(({ pk }) => pk === movementPartition(7, weeks[0] ?? 0))).toBe(count > 40);
      for (const { pk, sk, totals } of carrying.slice(1)) {
        const key = { pk: String(pk), sk: String(sk) };
        const wrong = structuredClone(Object(totals));
        wrong[part][1] = { count: 0, on_hand: 0, reserved: 0, ...wrong[part][1] };
        wrong[part][1].reserved += 1;
        await transact(db, [{ kind: "count", table: "inventory", key, add: {}, set: { totals: wrong } }]);

        const before = await verifiedTotals();
        const repaired = await verifiedTotals("operator");

        expect([before, repaired, await verifiedTotals()]).toEqual([[1], [1], []]);
        const [stored] = await queryRange(db, { table: "inventory", pk: key.pk, between: [key.sk, key.sk] });
        expect(isDeepStrictEqual(stored?.["totals"], totals)).toBe(true);
      }
    },
  );
});

test("movements carry running totals from a week's first on, but in a product's first week from the ninth on", async () => {
  const times = [
    ...Array.from({ length: 10 }, (_, minute) => `2026-09-22T10:0${minute}:00.000Z`),
    "2026-09-29T10:00:00.000Z",
  ];

  for (const at of times) {
    await move({ center: 1, at, on_hand: 1, reserved: 0 });
    await totalChanges(db, await changesOf([{ at }]), now);
  }

  const totals = (await Promise.all([times[0], times[10]].map((at = now) => itemsOfWeek(weekAt(at)))))
    .flat()
    .map((item) => item["totals"]);
  const units = (count: number) => ({ 1: { count, on_hand: count, reserved: 0 } });
  expect(totals).toEqual([
    ...Array(8).fill(undefined),
    { week: units(9), earlier: {} },
    undefined,
    { week: units(1), earlier: units(10) },
  ]);
});

test("running totals of a week that is totalled twice at once lack no movement", async () => {
  const week = weekAt("2026-09-24T00:00:00.000Z");
  const minuteOf = (minute: number) =>
    new Date(Date.parse("2026-09-24T00:00:00.000Z") + minute * 60_000).toISOString();
  const moved: Moved[] = Array.from({ length: 32 }, (_, minute) => ({
    center: 1,
    at: minuteOf(minute - 2),
    on_hand: 1,
    reserved: 0,
  }));
  for (const one of moved) await move(one);
  await totalProduct(db, 7);
  const earlier = { center: 1, at: minuteOf(-1), on_hand: 10, reserved: 0 };
  const late = { center: 1, at: minuteOf(1), on_hand: 100, reserved: 0 };
  await move(earlier);
  const [hasRead, mayStore, hasStored] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  /** Reads the week before the late movement is stored, and stores totals once the other has begun to. */
  const first = connectionTo(async (command, input) => {
    if (command === "UpdateItem") {
      hasRead?.resolve();
      await mayStore?.promise;
    }
    return store.call(command, input);
  });
  let stored = 0;
  const second = connectionTo(async (command, input) => {
    if (command === "UpdateItem") stored += 1;
    if (stored === 3) {
      mayStore?.resolve();
      await hasStored?.promise;
    }
    return store.call(command, input);
  });

  const totalled = totalProduct(first, 7, week).finally(() => hasStored?.resolve());
  await hasRead?.promise;
  await move(late);
  await totalChanges(second, await changesOf([late]), minuteOf(40));
  await totalled;

  const all = [...moved, earlier, late];
  const times = all.map(({ at }) => at);
  expect(await Promise.all(times.map((at) => levelsAt(at)))).toEqual(times.map((at) => summedAt(all, at)));
});

describe("stock of a past moment", () => {
  test.each([1, 2, 3])("is the sum of all movements up to it (seed %i)", async (seed) => {
    const random = new Random(seed);
    const moved = randomMovements(random, 60);
    const stored: Moved[] = [];

    for (const one of moved) {
      await move(one);
      stored.push(one);
      // Totals lag behind, and changes are delivered again.
      if (random.happens(0.4))
        await totalChanges(db, await changesOf(stored.slice(-1 - random.below(12))), now);
      const at = random.happens(0.5) ? random.of(stored).at : (randomMovements(random, 1)[0]?.at ?? now);
      expect(await levelsAt(at)).toEqual(summedAt(stored, at));
    }
  });

  test.each([1, 2, 3, 4])(
    "counts holds until they end, whenever they are released (seed %i)",
    async (seed) => {
      const random = new Random(seed);
      const moved: Moved[] = [];
      let holds: PlacedHold[] = [];
      for (let step = 0, time = Date.parse(opened); step < 100; step += 1) {
        time += random.below(day / 4);
        const present = new Date(time).toISOString();
        const ended = holds.filter(({ held }) => held.check_at <= present);
        const open = holds.filter(({ held }) => held.check_at > present && held.quantity > 0);
        if (open.length > 0 && random.happens(0.4)) moved.push(await useOf(random.of(open), random, present));
        else {
          const placed = await place(random, present);
          holds.push(placed);
          moved.push({ ...placed.ending, at: present, reserved: placed.held.quantity }, placed.ending);
        }
        if (random.happens(0.4))
          await totalChanges(db, await changesOf(moved.slice(-1 - random.below(12))), present);
        const times = [present, ...moved.map(({ at }) => at).filter((at) => at <= present)];
        const at = random.of(times);
        const isSwept = random.happens(0.2);

        const [named, listed] = await Promise.all([
          levelsAt(at, present),
          listedAt(at, present),
          isSwept &&
            releaseEnded(
              db,
              ended.map(({ held }) => held),
            ),
        ]);

        expect([named, listed]).toEqual([1, 2].map(() => summedAt(moved, at)));
        if (isSwept) holds = open;
      }
    },
  );

  test("is read without totals as well, if they are missing or lack a movement", async () => {
    const moved = randomMovements(new Random(4), 40);
    for (const one of moved) await move(one);
    const times = moved.map(({ at }) => at);
    const expected = times.map((at) => summedAt(moved, at));

    const untotalled = await Promise.all(times.map((at) => levelsAt(at)));
    await totalProduct(db, 7);
    const late = { center: 1, at: opened, on_hand: 1_000, reserved: 0 };
    await move(late);
    const lacking = await levelsAt(now);

    expect(untotalled).toEqual(expected);
    expect(lacking).toEqual(summedAt([...moved, late], now));
  });

  test("begins with the product's creation if only the day is known on which its stock was opened", async () => {
    const created_at = "2026-09-01T12:00:00.000Z";
    const inventory = { table: "inventory", when: [] } as const;
    await transact(db, [
      { kind: "insert", ...inventory, item: { ...recordKey(productList, 7), created_at } },
      ...[1, 2].map(
        (center): Write => ({
          kind: "change",
          ...inventory,
          key: stockLookup(7, center).key,
          remove: ["opened_at"],
        }),
      ),
    ]);

    const levels = await Promise.all(["2026-09-01T11:59:59.999Z", created_at].map((at) => levelsAt(at)));

    expect(levels).toEqual([[], onHand(0, 0)]);
  });

  /** Times of a minute each, up to the present time. */
  const minuteOf = (minute: number) => new Date(Date.parse(now) - (199 - minute) * 60_000).toISOString();
  /** Stores 200 movements, one a minute, with their totals. */
  const moveEachMinute = async (): Promise<void> => {
    for (let minute = 0; minute < 200; minute += 1)
      await move({ center: 1, at: minuteOf(minute), on_hand: 1, reserved: 0 });
    await totalProduct(db, 7);
    store.reads.length = 0;
  };

  test("takes a read of a few movements if another is stored meanwhile", async () => {
    await moveEachMinute();

    const [levels] = await Promise.all([
      levelsAt(now),
      move({ center: 1, at: now, on_hand: 1, reserved: 0 }),
    ]);

    expect(levels[0]).toEqual([201, 0]);
    expect(store.reads.filter((items) => items > 2)).toEqual([10, 10]);
  });

  test.each([1, 2])(
    "is right if totals lack a movement while the stock of center %i changes",
    async (center) => {
      await moveEachMinute();
      await move({ center: 1, at: minuteOf(10), on_hand: 1_000, reserved: 0 });

      const [levels] = await Promise.all([
        levelsAt(minuteOf(123)),
        move({ center, at: now, on_hand: 1, reserved: 0 }),
      ]);

      expect(levels).toEqual(onHand(1_124, 0));
    },
  );

  test("is right at a settled moment though the stock changes at each read and totals lack a movement", async () => {
    await moveEachMinute();
    await move({ center: 1, at: minuteOf(10), on_hand: 1_000, reserved: 0 });
    const moved: Promise<unknown>[] = [];
    store.afterRead = () => void moved.push(move({ center: 1, at: now, on_hand: 1, reserved: 0 }));

    const levels = await levelsAt(minuteOf(123));

    store.afterRead = () => {};
    await Promise.all(moved);
    expect(levels[0]).toEqual([1_124, 0]);
    expect(moved.length).toBeGreaterThan(8);
  });

  test.each([
    ["is read once more if its last movement is new", 0, [10, 2, 10]],
    ["is not read again if its last movement is older than five minutes", 6, [10, 10]],
  ])(
    "takes two reads of a few movements beside the stock, by name and in a list; the stock %s",
    async (_, minutes, reads) => {
      await moveEachMinute();
      const present = minuteOf(199 + minutes);

      const named = await levelsAt(minuteOf(123), present);
      const readsOfName = store.reads.splice(0);
      const stock = await stockItemsOf(db, 7);
      store.reads.length = 0;
      const listed = await listedAt(minuteOf(123), present, stock);

      const levels = onHand(124, 0);
      expect([named, listed]).toEqual([levels, levels]);
      // The stock record of each center, the last movements of the week, and those before the moment.
      expect([readsOfName, store.reads]).toEqual([[2, ...reads], reads]);
    },
  );

  test("does not count a hold that ended in a new week and is given back while the week before is read", async () => {
    const newWeek = Date.parse("2026-09-24T00:00:00.000Z");
    const [created, ended, present] = [-60_000, 30_000, 60_000].map((ms) =>
      new Date(newWeek + ms).toISOString(),
    );
    const { held } = await place(new Random(1), created ?? now, ended);
    let reads = 0;
    let released: Promise<unknown> | undefined;
    // After the reads of the new week's movements and of the stock.
    store.afterRead = () => {
      reads += 1;
      if (reads === 2) released = releaseEnded(db, [held]);
    };

    const levels = await levelsAt(present ?? now, present);

    await released;
    expect(levels).toEqual(onHand(0, 0));
  });

  test("takes one read of the last week with movements if the moment's week has none", async () => {
    await move({ center: 1, at: opened, on_hand: 5, reserved: 0 });
    store.reads.length = 0;

    const levels = await levelsAt(now);

    expect(levels[0]).toEqual([5, 0]);
    expect(store.reads).toEqual([2, 1]);
  });

  test("is right in a list if a movement is stored between its page and its movements, and totals lack one", async () => {
    await moveEachMinute();
    await move({ center: 1, at: minuteOf(10), on_hand: 1_000, reserved: 0 });
    const stock = await stockItemsOf(db, 7);
    await move({ center: 1, at: now, on_hand: 1, reserved: 0 });

    const levels = await listedAt(minuteOf(123), now, stock);

    expect(levels[0]).toEqual([1_124, 0]);
  });
});

describe("stock of a past moment, while older movements are dropped", () => {
  const before = "2023-05-13T00:00:00.000Z";
  const drop = { before, by: "operator", isExported: () => true };
  const minutes = (from: string, count: number, center: number): readonly Moved[] =>
    Array.from({ length: count }, (_, minute) => {
      const at = new Date(Date.parse(from) + minute * 60_000).toISOString();
      return { center, at, on_hand: 1, reserved: 0 };
    });
  /** Several weeks, one of which takes several transactions, and one of which goes on after the limit. */
  const moved = [
    ...minutes("2022-03-05T10:00:00.000Z", 100, 1),
    ...minutes("2022-03-05T12:00:00.000Z", 20, 2),
    ...minutes("2022-03-12T10:00:00.000Z", 12, 1),
    ...minutes("2022-03-12T12:00:00.000Z", 12, 2),
    ...minutes("2023-05-12T10:00:00.000Z", 20, 1),
    ...minutes("2023-05-14T10:00:00.000Z", 20, 1),
    ...minutes("2026-09-20T10:00:00.000Z", 20, 2),
  ];
  const times = ["2023-05-14T10:05:30.000Z", "2026-09-20T10:05:30.000Z"];
  const expected = times.map((at) => summedAt(moved, at));
  const levelsThen = () => Promise.all(times.map((at) => listedAt(at, now)));

  beforeEach(async () => {
    for (const one of moved) await move(one);
    await totalProduct(db, 7);
  });

  test("is right between its transactions, and after one that was interrupted", async () => {
    let hasEnded = false;
    while (!hasEnded) {
      let isDead = false;
      const dying = connectionTo(async (command, input) => {
        if (isDead) throw new Error("killed");
        isDead = command === "TransactWriteItems";
        return store.call(command, input);
      });
      hasEnded = await dropMovements(dying, 7, drop).then(
        () => true,
        () => false,
      );
      expect(await levelsThen()).toEqual(expected);
      await move({ center: 1, at: now, on_hand: 1, reserved: 0 });
      await expect(totalChanges(db, await changesOf([{ at: now }]), now)).resolves.toBeDefined();
    }
    await totalProduct(db, 7);
    expect(await levelsThen()).toEqual(expected);
  });

  test.each([1, 2, 3, 4])("is right whenever it is read (seed %i)", async (seed) => {
    const random = new Random(seed);
    const pausing = (length: number) =>
      connectionTo(async (command, input) => {
        for (let left = random.below(length); left > 0; left -= 1) await immediate();
        return store.call(command, input);
      });
    const [writer, reader] = [pausing(90), pausing(3)];
    let isDropping = true;
    const dropped = dropMovements(writer, 7, drop).finally(() => {
      isDropping = false;
    });

    let reads = 0;
    for (; isDropping; reads += 1) {
      const at = random.of(times);
      const { levels } = await levelsOf(reader, 7, { at, now });
      expect([at, levels.map(({ on_hand, reserved }) => [on_hand, reserved])]).toEqual([
        at,
        summedAt(moved, at),
      ]);
    }

    expect(await dropped).toBe(164);
    expect(reads).toBeGreaterThan(3);
  });
});

test("of a week without totals, no more than 20,000 movements are added up", async () => {
  await move({ center: 1, at: now, on_hand: 1, reserved: 0 });
  const [moved = {}] = store.table("inventory").partition(movementPartition(7, weekAt(now)));
  let queries = 0;
  const endless = connectionTo(async () => {
    queries += 1;
    const item = { ...moved, sk: { S: queries === 1 ? "2" : "1" } };
    return { Items: Array(1_000).fill(item), LastEvaluatedKey: item, $metadata: {} };
  });

  const read = readWeek(endless, { product_id: 7, week: weekAt(now) });

  await expect(read).rejects.toThrow(Busy);
  // Ten movements of the first query, and 1,000 of each other.
  expect(queries).toBe(21);
});

test("stock is asked for as of now, and not of later, nor of two years ago", () => {
  expect(() => expectKept(now, now)).not.toThrow();
  expect(() => expectKept("2026-09-30T00:00:00.001Z", now)).toThrow("as_of is in the future");
  expect(() => expectKept("2024-10-01T00:00:00.000Z", now)).not.toThrow();
  expect(() => expectKept("2024-09-30T23:59:59.999Z", now)).toThrow("must be less than two years ago");
});
