/**
 * What stock of a past moment costs beside today's: for a product with a million movements, and for pages of
 * an account with 100,000 products. The endpoint's flow runs on a store in memory, since DynamoDB Local takes
 * an hour to store them; read units follow from the sizes of items.
 */
import { endpoint as listStock } from "../../../functions/oms/inventory/stock/list-stock.ts";
import { setUpAccounts, setUpWarehouse } from "../../../infra/demo/registry.ts";
import { operatorContext } from "../../../infra/operator/cli/context.ts";
import { newProduct } from "../../../shared/catalog/products/product.ts";
import { productList, stockList } from "../../../shared/catalog/products/product-lists.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { type Movement, movement } from "../../../shared/stock/movements/movement.ts";
import {
  insertMovement,
  movementCounted,
  weekAt,
} from "../../../shared/stock/movements/movement-repository.ts";
import {
  addTotals,
  beforeWeek,
  type CenterTotals,
  ofMovement,
  totalsToCarry,
} from "../../../shared/stock/past/running-totals.ts";
import { insertProductWithStock } from "../../../shared/stock/product-stock.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import type { Count, Write } from "../../../shared/store/dynamodb/writes.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import { defaultSettings, rollUpOwner } from "../../../shared/store/lists/counters/roll-up.ts";
import { newConnection, useStore } from "../../simulation/world/connection.ts";
import { numberAt } from "../../support/http/client.ts";
import { productOf } from "../../support/records/records.ts";
import type { Figure, Part } from "./figures.ts";
import { MeteredStore } from "./metered-store.ts";

const accountId = 100;
const movements = 1_000_000;
const products = 100_000;
const perPage = 100;
/** Half of the movements were in one week, and the others spread over the weeks of a year and a half. */
const weeks = 78;
const day = 86_400_000;

/** Most read units that a product may take beyond today's page. */
const maxUnits = 2;

export const past: Part = async (print) => [await ofOneProduct(print), await ofManyProducts(print)];

async function ofOneProduct(print: (line: string) => void): Promise<Figure> {
  const begin = Date.now() - weeks * 7 * day;
  const times = timesFrom(begin);
  const account = await newAccount();
  await account.store(1, begin - day, () => times);
  const today = await account.read({ sku: "BENCH-0" });
  let [most, wrong] = [0, 0];
  for (let position = 0; position < times.length; position += Math.floor(times.length / 40)) {
    const as_of = new Date(times[position] ?? begin).toISOString();
    const { units, onHand } = await account.read({ sku: "BENCH-0", as_of });
    most = Math.max(most, units - today.units);
    if (onHand[0] !== position + 1) wrong += 1;
  }
  print(`a product with ${times.length} movements: today's stock ${today.units} units, ${most} more at most`);
  return figureOf(`of a product with ${movements.toLocaleString("en")} movements`, most, wrong);
}

/** Each product has one movement in each of three weeks; the last of them is today. */
async function ofManyProducts(print: (line: string) => void): Promise<Figure> {
  const now = Date.now();
  const times = [60, 30, 0].map((days) => now - days * day - 3_600_000);
  const account = await newAccount();
  await account.store(products, now - 90 * day, () => times);
  let [most, wrong] = [0, 0];
  for (const page of [1, products / perPage / 2, products / perPage]) {
    const query = { page: String(page), per_page: String(perPage) };
    const today = await account.read(query);
    for (const [position, time] of [times[0] ?? now - 1, ...times].entries()) {
      const as_of = new Date(position === 0 ? time - 1 : time).toISOString();
      const { units, onHand } = await account.read({ ...query, as_of });
      print(`page ${page}: today's ${today.units} units, as of ${as_of} ${units}`);
      most = Math.max(most, (units - today.units) / perPage);
      wrong += onHand.filter((units) => units !== position).length + (onHand.length === perPage ? 0 : 1);
    }
  }
  return figureOf(`of pages of ${products.toLocaleString("en")} products, for each product`, most, wrong);
}

const figureOf = (what: string, most: number, wrong: number): Figure => ({
  figure: `stock of a past moment ${what}: read units beyond today's`,
  goal: `${maxUnits}`,
  found: `${Number(most.toFixed(2))}; ${wrong === 0 ? "exact" : `${wrong} WRONG`}`,
  held: most <= maxUnits && wrong === 0,
});

/** The times of all movements, each in a millisecond of its own, oldest first. */
function timesFrom(begin: number): readonly number[] {
  const apart = Math.floor((weeks * 7 * day) / (movements / 2 + 1));
  const even = Array.from({ length: movements / 2 }, (_, position) => begin + (position + 1) * apart);
  const busy = Array.from(
    { length: movements / 2 },
    (_, position) => begin + 40 * 7 * day + 2 * position + 1,
  );
  return [...new Set([...even, ...busy])].toSorted((left, right) => left - right);
}

/** An account of its own, without products. */
async function newAccount() {
  const metered = new MeteredStore();
  useStore(metered);
  const db = newConnection();
  await setUpWarehouse(db);
  await setUpAccounts(db);

  /** Stores products as the service does, and a unit of each at each of its times. */
  async function store(count: number, openedAt: number, timesOf: (position: number) => readonly number[]) {
    const items: object[] = [];
    for (let start = 0; start < count; start += productList.blockSize) {
      const size = Math.min(productList.blockSize, count - start);
      const { firstId, at } = await allocate(db, productList, String(accountId), size, () => openedAt);
      const writes = Array.from({ length: size }, (_, index) => {
        const product_id = firstId + index;
        const sent = productOf({ sku: `BENCH-${start + index}`, distribution_center: "MAIN" });
        const product = newProduct(sent, { account_id: accountId, product_id, at });
        return [product_id, insertProductWithStock(product, center, "bench")] as const;
      });
      for (const [position, [productId, own]] of writes.entries())
        for (const item of itemsOf(productId, own, timesOf(start + position))) items.push(item);
      if (count === 1) await transact(db, writes[0]?.[1].filter(isElsewhere) ?? []);
      await transact(
        db,
        writes.flatMap(([, own]) => own).filter((write): write is Count => write.kind === "count"),
      );
    }
    metered.fill(items);
    // As the service does every minute.
    for (const list of [productList, stockList])
      await rollUpOwner({ db, list, owner: String(accountId) }, Number.POSITIVE_INFINITY, {
        ...defaultSettings,
        pauseMs: 0,
      });
  }

  async function read(query: Readonly<Record<string, string>>) {
    const begin = metered.units;
    const request = parseRequest(listStock.request, { query });
    const { data } = await listStock.flow(request, { ...operatorContext(db), account_id: accountId });
    return { units: metered.units - begin, onHand: data.map((level) => numberAt(level, "on_hand")) };
  }
  return { store, read };
}

const center = { distribution_center_id: 1, code: "MAIN" };

const isElsewhere = (write: Write): boolean => write.kind === "insert" && write.table === "directory";

/** The items of a product's stock: its record, and its movements with their running totals. */
function itemsOf(product_id: number, writes: readonly Write[], times: readonly number[]): readonly object[] {
  const counts: Record<string, number> = {};
  const moves: object[] = [];
  let [week, earlier, inWeek]: [number, CenterTotals, CenterTotals] = [0, {}, {}];
  let weekFor = totalsToCarry(beforeWeek({}));
  for (const time of times) {
    const at = new Date(time).toISOString();
    const cause = { reason: "recount", reference: {}, by: "bench", at } as const;
    const change = { product_id, distribution_center_id: 1, on_hand: 1, reserved: 0 };
    const moved: Movement = movement.parse({ ...change, ...cause });
    for (const name of Object.keys(movementCounted(cause))) counts[name] = (counts[name] ?? 0) + 1;
    if (weekAt(at) !== week) {
      [week, earlier, inWeek] = [weekAt(at), addTotals(earlier, inWeek), {}];
      weekFor = totalsToCarry(beforeWeek(earlier));
    }
    inWeek = addTotals(inWeek, ofMovement(moved));
    const carried = weekFor(moved, false);
    const { item } = insertMovement(change, cause);
    moves.push({ ...item, ...(carried !== undefined && { totals: { week: carried, earlier } }) });
  }
  const records = writes.flatMap((write) =>
    write.kind === "insert" && write.table === "inventory" ? [write.item] : [],
  );
  return [
    ...records.map((item) => ("on_hand" in item ? { ...item, ...counts, on_hand: times.length } : item)),
    ...moves,
  ];
}
