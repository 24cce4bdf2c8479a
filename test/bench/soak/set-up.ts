/** What the soak is about: bins with goods, and orders in Processing, some of them picked. */
import { putBins } from "../../../infra/operator/set-up/registry.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { claim, pickItems } from "../../support/business/world.ts";
import { type Answer, type Client, listAt, numberAt } from "../../support/http/client.ts";
import { orderOf, productOf } from "../../support/records/records.ts";

/** How many jobs of each kind, over how many bins. */
export interface SoakSize {
  readonly corrections: number;
  readonly weights: number;
  readonly reverts: number;
  readonly bins: number;
}

/** The service that is soaked; account 100 and the user `manager` call it. */
export interface Soaked {
  readonly db: Database;
  readonly oms: Client;
  readonly wms: Client;
  /** Resolves when every queued job is done. */
  readonly settled: () => Promise<void>;
}

/** A bin and the one product that lies in it. */
export interface SoakBin {
  readonly sku: string;
  readonly location: string;
  readonly bin: string;
  /** Whether orders are picked from it: there nothing is counted, for a count and a return do not commute. */
  readonly picked: boolean;
}

export interface SetUp {
  readonly productIds: ReadonlyMap<string, number>;
  readonly places: readonly SoakBin[];
  /** Orders in Processing whose goods are picked, to be reverted; and others, to be weighed only. */
  readonly toRevert: readonly number[];
  readonly others: readonly number[];
}

/** Bins that a product lies in. The first product is what orders take. */
const binsOfProduct = 20;
const [opening, openingOfPicked] = [30, 1000];
const callSize = 100;

/** The account whose orders they are. */
const accountId = 100;

/** Orders that are handled at a time. */
const width = 8;

export const inCalls = <T>(elements: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(elements.length / callSize) }, (_, call) =>
    elements.slice(call * callSize, (call + 1) * callSize),
  );

/** The answer of a call that has to succeed. */
export function accepted(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

export async function setUp(service: Soaked, { bins, weights, reverts }: SoakSize): Promise<SetUp> {
  const skus = Array.from({ length: Math.ceil(bins / binsOfProduct) }, () => productOf().sku);
  const products = accepted(
    await service.oms.post("/inventory/products", { data: skus.map((sku) => productOf({ sku })) }),
  );
  const productIds = new Map(
    skus.map((sku, position) => [sku, numberAt(products.body, `data.${position}.product_id`)]),
  );
  const places = Array.from({ length: bins }, (_, number): SoakBin => {
    const product = Math.floor(number / binsOfProduct);
    const [location, bin] = [`SOAK${product}`, String(number % binsOfProduct)];
    return { sku: skus[product] ?? "", location, bin, picked: product === 0 };
  });
  await fillBins(service, places);
  const orders = await placeOrders(service, skus[0] ?? "", reverts + Math.max(1, Math.ceil(weights / 2)));
  const toRevert = orders.slice(0, reverts);
  await pickOrders(service, toRevert, places);
  return { productIds, places, toRevert, others: orders.slice(reverts) };
}

async function fillBins({ db, wms, settled }: Soaked, places: readonly SoakBin[]): Promise<void> {
  for (const [position, { location, bin }] of places.entries()) {
    const center = { distribution_center_id: 1, distribution_center: "MAIN" };
    await putBins(db, [{ bin_id: 1000 + position, location, bin, ...center }]);
  }
  for (const call of inCalls(places)) {
    const skus = call.map(({ sku, location, bin, picked }) => ({
      sku,
      bins: [{ location, bin, qty_in_bin: picked ? openingOfPicked : opening }],
    }));
    accepted(await wms.post("/recount", [{ account_id: 100, skus }]));
  }
  await settled();
}

/** Orders of three units each, claimed. */
async function placeOrders({ db, oms }: Soaked, sku: string, count: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const data of inCalls(Array.from({ length: count }, () => orderOf([{ sku, quantity: 3 }])))) {
    const { body } = accepted(await oms.post("/orders", { data }));
    ids.push(...listAt(body, "data").map((order) => numberAt(order, "order_id")));
  }
  await sideBySide(ids, (id) => claim({ db, accountId }, id));
  return ids;
}

/** Takes two units from one bin and one from the next, another pair of bins for each order. */
async function pickOrders({ db }: Soaked, ids: readonly number[], places: readonly SoakBin[]): Promise<void> {
  const from = places.filter(({ picked }) => picked);
  const at = (position: number) => {
    const place = from[position % from.length];
    if (place === undefined) throw new Error("there is no bin to pick from");
    return { sku: place.sku, location: place.location, bin: place.bin };
  };
  const numbered = ids.map((id, position) => ({ id, position }));
  await sideBySide(numbered, ({ id, position }) =>
    pickItems({ db, accountId }, id, { ...at(position), quantity: 2 }, { ...at(position + 1), quantity: 1 }),
  );
}

/** Works on the elements, some at a time. */
export async function sideBySide<T>(
  elements: readonly T[],
  work: (element: T) => Promise<unknown>,
): Promise<void> {
  const waiting = [...elements];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
