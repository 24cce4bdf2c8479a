/**
 * Archiving orders: of random orders, those that ended are written to a file, and removed with all that
 * belongs to them. What is left is compared with what was there before, also after kills at any call.
 */

import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { endpoint as createSerials } from "../../../functions/oms/serials/create-serials.ts";
import { archiveOrders, measureArchive } from "../../../infra/operator/archive/archive-orders.ts";
import { archiveStore } from "../../../infra/operator/archive/archive-store.ts";
import { findWhole } from "../../../infra/operator/archive/whole-orders.ts";
import { type Finding, verify } from "../../../infra/operator/verify/index.ts";
import { placed } from "../../../shared/common/placed.ts";
import { putAway } from "../../../shared/inbound/put-away.ts";
import { cancelOrders, changeOrders, type OrderChange } from "../../../shared/orders/change-orders.ts";
import { setSubStatus } from "../../../shared/orders/order-transitions.ts";
import { orderLookup } from "../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { getItems } from "../../../shared/store/dynamodb/reads.ts";
import { Random } from "../../simulation/schedule/random.ts";
import { expectBalanceAndMovements } from "../../support/business/ledger.ts";
import { storedOrder } from "../../support/business/stored.ts";
import {
  announceReturn,
  asItIs,
  claim,
  fulfill,
  type NewProduct,
  newOrders,
  pickFrom,
  pickItems,
  pickWhole,
  shipOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { contextOf, create } from "../../support/records/flows.ts";
import { customer, orderOf, unique } from "../../support/records/records.ts";
import { dyingAfter, killedAt } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), "archive-"));
const service = await sharedService();
const products = await Promise.all([
  stockedProduct(service, 900),
  stockedProduct(service, 900),
  stockedProduct(service, 900),
]);
const serialized = await stockedProduct(service, 900);
const serials = Array.from({ length: 60 }, (_, number) => `S-${number}`);
await create(service, createSerials, { sku: serialized.sku, serials });
afterAll(() => rmSync(folder, { recursive: true }));

/** All orders that ended are meant: the day after tomorrow. */
const before = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

const newFile = () => join(folder, `${unique("orders")}.jsonl.gz`);

const archivingTo = (file: string) => ({
  ...{ before, accountId: service.accountId, to: archiveStore(file) },
  ...{ onRead: () => undefined, onRemoved: () => undefined },
});

const archived = (file: string, db: Database = service.db) => archiveOrders(db, archivingTo(file));

/** Archives what a test leaves at its end, as the next one counts the orders that have ended. */
const leavesNoOrder = () => onTestFinished(async () => void (await archived(newFile())));

const linesOf = (file: string): readonly unknown[] =>
  gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split("\n")
    .slice(1, -1)
    .map((line) => JSON.parse(line));

let serialNumber = 0;

/** Ships an order of a unit with a serial. */
async function serialShipped(): Promise<number> {
  const [orderId = 0] = await newOrders(service, [[{ sku: serialized.sku, quantity: 1 }]]);
  await claim(service, orderId);
  const serials = [`S-${serialNumber++}`];
  await pickItems(service, orderId, { ...pickFrom(serialized.sku, 1), serials });
  await shipOrder(service, orderId);
  return orderId;
}

async function withAttributes(kind: string, id: number): Promise<void> {
  const data = [
    { attribute: unique("color"), value: "red" },
    { attribute: "size", value: "XL" },
  ];
  expect((await service.oms.post(`/attributes/${kind}/${id}`, { data })).status).toBe(200);
}

const edited = (orderId: number, items: readonly object[]) =>
  service.oms.put("/orders", { data: { order_id: orderId, shipping_method: "GROUND", customer, items } });

/** Ways that orders go, by what is left of them. */
const lives: Readonly<Record<string, (orderId: number, product: NewProduct) => Promise<unknown>>> = {
  pending: async () => undefined,
  processing: (orderId) => claim(service, orderId),
  picked: (orderId) => pickWhole(service, orderId),
  cancelled: (orderId) => cancelOrders(contextOf(service), placed([orderId])),
  shipped: (orderId) => fulfill(service, orderId),
  editedAndShipped: async (orderId, { sku }) => {
    const other = products.find((one) => one.sku !== sku)?.sku;
    expect((await edited(orderId, [{ sku: other, quantity: 3 }])).status).toBe(200);
    await fulfill(service, orderId);
  },
  returned: async (orderId, { sku }) => {
    await fulfill(service, orderId);
    const target = await announceReturn(service, orderId, [{ sku, quantity: 1 }]);
    await withAttributes("return", target.return_id);
    await putAway(contextOf(service), target, { sku, quantity: 1, location: "A1", bin: "01" }, asItIs);
  },
  awaitingReturn: async (orderId, { sku }) => {
    await fulfill(service, orderId);
    await announceReturn(service, orderId, [{ sku, quantity: 1 }]);
  },
  annotated: async (orderId) => {
    await withAttributes("order", orderId);
    for (let time = 0; time < 12; time += 1)
      await changeOrders(contextOf(service), [
        {
          order_id: orderId,
          path: "order_id",
          decide: (one, now) => setSubStatus(one, `${time}-${"x".repeat(60)}`, now),
        },
      ]);
    await fulfill(service, orderId);
  },
};

/** Lives whose orders are archived. */
const ended: ReadonlySet<string> = new Set([
  "cancelled",
  "shipped",
  "editedAndShipped",
  "returned",
  "annotated",
]);

interface Lived {
  readonly orderId: number;
  readonly isEnded: boolean;
}

/** So many orders of random lives, and some of all kinds. */
async function livedThrough(random: Random, count: number): Promise<readonly Lived[]> {
  const names = [
    ...Object.keys(lives),
    ...Array.from({ length: count }, () => random.of(Object.keys(lives))),
  ];
  const lived: Lived[] = [];
  for (const name of names) {
    const product = random.of(products);
    const lines = [{ sku: product.sku, quantity: 1 + random.below(3) }];
    const [orderId = 0] = await newOrders(service, [lines], { order_reference: `ref-${random.below(4)}` });
    await lives[name]?.(orderId, product);
    lived.push({ orderId, isEnded: ended.has(name) });
  }
  lived.push({ orderId: await serialShipped(), isEnded: true });
  return lived;
}

const shownOf = async (orderId: number) => at((await service.oms.get(`/orders/${orderId}`)).body, "data");

/** All ids that pages of a query show, and the total that each page states. */
async function listed(query: string): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const ids: number[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await service.oms.get(`/orders?per_page=7&page=${page}&${query}`);
    const data = listAt(body, "data");
    ids.push(...data.map((order) => numberAt(order, "order_id")));
    const total = numberAt(body, "metadata.total_records");
    if (data.length < 7) return { ids, total };
  }
}

const queries = [
  ...["status_id=1", "status_id=4", "status_id=9", "status_id=10", "order_direction=desc", "order_type_id=1"],
  ...[0, 1, 2, 3].map((number) => `order_reference=ref-${number}`),
];

const listsOf = async () =>
  new Map(await Promise.all(queries.map(async (query) => [query, await listed(query)] as const)));

async function findings(repairs = false): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const { db, accountId } = service;
  await verify({
    db,
    accountId,
    report: (one) => found.push(one),
    onRead: () => undefined,
    ...(repairs && { repairer: "test" }),
  });
  return found;
}

const thereOf = async (ids: readonly number[]): Promise<readonly number[]> => {
  const find = await getItems(service.db, ids.map(orderLookup));
  return ids.filter((id) => find(orderLookup(id)) !== undefined);
};

const movementsOf = async ({ sku }: NewProduct) => (await expectBalanceAndMovements(service, sku)).movements;

describe("orders that ended are archived", () => {
  let lived: readonly Lived[];
  let [kept, gone]: [readonly number[], readonly number[]] = [[], []];
  const file = newFile();
  const earlier = new Map<number, unknown>();
  let lists: Awaited<ReturnType<typeof listsOf>>;
  let returnIds: readonly number[];
  const movements = new Map<string, Awaited<ReturnType<typeof movementsOf>>>();
  let outcome: Awaited<ReturnType<typeof archived>>;
  let measured: Awaited<ReturnType<typeof measureArchive>>;

  beforeAll(async () => {
    lived = await livedThrough(new Random(7), 8);
    kept = lived.filter(({ isEnded }) => !isEnded).map(({ orderId }) => orderId);
    gone = lived.filter(({ isEnded }) => isEnded).map(({ orderId }) => orderId);
    for (const { orderId } of lived) earlier.set(orderId, await shownOf(orderId));
    for (const one of [...products, serialized]) movements.set(one.sku, await movementsOf(one));
    lists = await listsOf();
    returnIds = listAt((await service.oms.get("/inventory/returns?per_page=100")).body, "data").map((one) =>
      numberAt(one, "return_id"),
    );
    measured = await measureArchive(service.db, archivingTo(file));
    outcome = await archived(file);
  });

  test("as many as the dry run counts", () => {
    const waiting = lived.length - kept.length;
    expect(outcome).toMatchObject({ orders: gone.length, removed: gone.length, gone: 0, changed: [] });
    expect(waiting).toBe(gone.length);
    const unpacked = gunzipSync(readFileSync(file)).toString().split("\n").slice(1, -2).join("\n");
    expect(measured).toEqual({
      orders: gone.length,
      bytes: Buffer.byteLength(unpacked) + 1,
      left: outcome.left,
    });
    expect([...(outcome.left?.keys() ?? [])]).toEqual(["it has a return that is not Received"]);
  });

  test("with their history, movements, returns, serials and attributes", () => {
    const lines = linesOf(file);
    expect(new Set(lines.map((line) => at(line, "order.order_id")))).toEqual(new Set(gone));
    const all = [...movements.values()].flat();
    for (const line of lines) {
      const orderId = numberAt(line, "order.order_id");
      const ownReturns = listAt(line, "returns").map((one) => numberAt(one, "return_id"));
      const own = all.filter(
        ({ reference }) =>
          reference.order_id === orderId ||
          (reference.return_id !== undefined && ownReturns.includes(reference.return_id)),
      );
      expect(listAt(line, "movements")).toHaveLength(own.length);
      expect(new Set(listAt(line, "movements").map((one) => JSON.stringify(one)))).toEqual(
        new Set(own.map((one) => JSON.stringify(one))),
      );
      expect(at(line, "order")).toMatchObject({ customer: at(earlier.get(orderId), "customer") });
      const shown = listAt(earlier.get(orderId), "history");
      expect(listAt(line, "history").map((one) => at(one, "at"))).toEqual(shown.map((one) => at(one, "at")));
    }
    expect(lines.flatMap((line) => listAt(line, "serials"))).toMatchObject([{ picked_for: gone.at(-1) }]);
    expect(
      new Set(lines.flatMap((line) => listAt(line, "attributes").map((one) => at(one, "owner_type")))),
    ).toEqual(new Set(["order", "return"]));
  });

  test("and their ids, references and returns are unknown afterwards, while others are as before", async () => {
    for (const orderId of gone) expect((await service.oms.get(`/orders/${orderId}`)).status).toBe(404);
    for (const orderId of kept) expect(await shownOf(orderId)).toEqual(earlier.get(orderId));
    for (const [query, { ids, total }] of lists) {
      const left = ids.filter((id) => !gone.includes(id));
      expect(await listed(query)).toEqual({ ids: left, total: total - (ids.length - left.length) });
    }
    const archivedReturns = linesOf(file).flatMap((line) =>
      listAt(line, "returns").map((one) => numberAt(one, "return_id")),
    );
    const { body } = await service.oms.get("/inventory/returns?per_page=100");
    expect(listAt(body, "data").map((one) => numberAt(one, "return_id"))).toEqual(
      returnIds.filter((id) => !archivedReturns.includes(id)),
    );
    expect(at(body, "metadata.total_records")).toBe(returnIds.length - archivedReturns.length);
    const left = listAt((await service.oms.get(`/serials?sku=${serialized.sku}&per_page=100`)).body, "data");
    expect(left).toHaveLength(59);
  });

  test("and the books of stock agree afterwards, and verification finds nothing", async () => {
    for (const one of [...products, serialized])
      expect(await movementsOf(one)).toEqual(movements.get(one.sku));
    expect(await findings()).toEqual([]);
    expect(await findings(true)).toEqual([]);
    expect(await thereOf([...kept, ...gone])).toEqual(kept);
  });

  test("and their numbers stay taken, though they find nothing", async () => {
    const number = String(at(linesOf(file)[0], "order.order_number"));
    const again = await service.oms.post("/orders", {
      data: [orderOf([{ sku: products[0]?.sku ?? "", quantity: 1 }], { order_number: number })],
    });

    expect(at(again.body, "response.errors.0")).toEqual({
      path: "data.0.order_number",
      message: `already exists (${number})`,
      code: "already_exists",
      order_id: numberAt(linesOf(file)[0], "order.order_id"),
    });
    expect((await service.oms.get(`/orders/${number}?identify_by=order_number`)).status).toBe(404);
    expect(await listed(`order_number=${number}`)).toEqual({ ids: [], total: 0 });
  });

  test("only once: the same file archives nothing twice, and refuses other orders", async () => {
    expect(await archived(file)).toMatchObject({
      orders: gone.length,
      removed: 0,
      gone: gone.length,
      left: undefined,
    });
    for (const other of [{ before: "2020-01-01" }, { accountId: undefined }])
      await expect(archiveOrders(service.db, { ...archivingTo(file), ...other })).rejects.toThrow(
        "is an archive of other orders",
      );
    const nothing = newFile();
    expect(await archived(nothing)).toMatchObject({ orders: 0, removed: 0 });
    expect(existsSync(nothing)).toBe(false);
  });
});

test("an archive is its owner's to read, and no run that was suspended writes to it", async () => {
  leavesNoOrder();
  const lines = [{ sku: products[0]?.sku ?? "", quantity: 1 }];
  const [id = 0] = await newOrders(service, [lines]);
  await fulfill(service, id);
  const file = newFile();
  const suspended = openSync(`${file}.part`, "w");

  expect(await archived(file)).toMatchObject({ orders: 1, removed: 1 });
  const whole = readFileSync(file);
  writeSync(suspended, "late", 0);
  closeSync(suspended);

  expect(readFileSync(file)).toEqual(whole);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("an archive that is damaged removes nothing, and a whole one what is still as it says", async () => {
  leavesNoOrder();
  const lines = [{ sku: products[0]?.sku ?? "", quantity: 1 }];
  const [one = 0, other = 0] = await newOrders(service, [lines, lines]);
  for (const id of [one, other]) await fulfill(service, id);
  const file = newFile();
  await expect(archived(file, dyingAfter(service, 0))).rejects.toThrow("died");
  const whole = readFileSync(file);
  const unpacked = gunzipSync(whole).toString();

  for (const damage of [
    whole.subarray(0, whole.length - 20),
    gzipSync(unpacked.replace("GROUND", "GROUNX")),
    gzipSync(unpacked.split("\n").slice(0, -2).join("\n")),
    gzipSync(`${unpacked}${unpacked.split("\n").at(-2)}\n`),
    Buffer.from("no archive"),
  ]) {
    writeFileSync(file, damage);
    await expect(archived(file)).rejects.toThrow("is no complete archive");
  }
  expect(await thereOf([one, other])).toEqual([one, other]);

  writeFileSync(file, whole);
  expect((await service.oms.post("/orders/sub_status", { order_id: other, sub_status: "late" })).status).toBe(
    200,
  );
  expect(await archived(file)).toMatchObject({ orders: 2, removed: 1, changed: [other] });
  expect(await archived(newFile())).toMatchObject({ orders: 1, removed: 1 });
});

test("an order stays as long as one of its returns has changed lately", async () => {
  leavesNoOrder();
  const lines = [{ sku: products[0]?.sku ?? "", quantity: 1 }];
  const [id = 0] = await newOrders(service, [lines]);
  await lives["returned"]?.(id, products[0] ?? serialized);
  const { updated_at } = await storedOrder(service, id);
  const limits = (milliseconds: number) => ({
    before: new Date(Date.parse(updated_at) + milliseconds).toISOString(),
    setAside: new Set<string>(),
  });

  const found = [await findWhole(service.db, id, limits(1)), await findWhole(service.db, id, limits(60_000))];

  expect(found).toEqual([{ missing: "recent" }, expect.objectContaining({ whole: expect.anything() })]);
});

test("an order is archived with the movement of a call that began long before another change of it", async () => {
  leavesNoOrder();
  const [id = 0] = await newOrders(service, [[{ sku: products[0]?.sku ?? "", quantity: 1 }]]);
  const context = contextOf(service);
  const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
  const noted: OrderChange["decide"] = (one, now) => setSubStatus(one, "late", now);
  await changeOrders({ ...context, now: at(40_000) }, [{ order_id: id, path: "order_id", decide: noted }]);
  await cancelOrders({ ...context, now: at(20_000) }, placed([id]));

  const found = await findWhole(service.db, id, { before: at(60_000), setAside: new Set() });

  const movements = "whole" in found ? found.whole.movements : [];
  expect(movements.map(({ reason }) => reason)).toEqual(["order_created", "order_cancelled"]);
});

test("an order that changes once it is written stays, and is named", async () => {
  leavesNoOrder();
  const lines = [[{ sku: products[0]?.sku ?? "", quantity: 1 }]];
  const [one = 0, other = 0] = await newOrders(service, [...lines, ...lines]);
  for (const id of [one, other]) await fulfill(service, id);
  const db = service.connect();
  const change = (order_id: number) =>
    service.oms.post("/orders/sub_status", { order_id, sub_status: "late" });
  const changeBoth = async () => {
    for (const id of [one, other]) expect((await change(id)).status).toBe(200);
  };
  let changing: Promise<void> | undefined;
  db.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (String(context["commandName"]).startsWith("TransactWrite")) {
        changing ??= changeBoth();
        await changing;
      }
      return next(args);
    },
    { step: "initialize" },
  );

  const outcome = await archived(newFile(), db);

  expect(outcome).toMatchObject({ orders: 2, removed: 0, changed: [one, other] });
  expect(await thereOf([one, other])).toEqual([one, other]);
  expect(await archived(newFile())).toMatchObject({ orders: 2, removed: 2 });
});

test("killed at any call and run again, it loses nothing and completes", async () => {
  const lived = await livedThrough(new Random(11), 0);
  const gone = lived.filter(({ isEnded }) => isEnded).map(({ orderId }) => orderId);
  const file = newFile();
  let runs = 0;
  for (let last = 1; ; last += existsSync(file) ? 1 : 9) {
    const outcome = await archived(file, killedAt(service, last)).catch(() => undefined);
    const there = await thereOf(gone);
    const inFile = existsSync(file) ? linesOf(file).map((line) => at(line, "order.order_id")) : [];
    expect(gone.filter((id) => !there.includes(id) && !inFile.includes(id))).toEqual([]);
    runs += 1;
    if (outcome !== undefined) break;
  }

  expect(runs).toBeGreaterThan(10);
  expect(await thereOf(lived.map(({ orderId }) => orderId))).toEqual(
    lived.filter(({ isEnded }) => !isEnded).map(({ orderId }) => orderId),
  );
  expect(await findings()).toEqual([]);
  for (const one of products) await expectBalanceAndMovements(service, one.sku);
});
