/** What must be true once all clients and jobs are done, seen from outside. */
import * as z from "zod";
import {
  type Clients,
  countedSku,
  eventPage,
  type OrderAnswer,
  orderAnswer,
  orderedSkus,
  orderPage,
  shownOf,
} from "./clients.ts";
import { binModel, orderModel, productModel } from "./models.ts";

const movementPage = z.object({
  data: z.array(
    z.object({
      reason: z.string(),
      on_hand: z.int(),
      reserved: z.int(),
      order_id: z.int().optional(),
      correction_id: z.int().optional(),
    }),
  ),
  metadata: z.object({ total_records: z.int() }),
});
type Movement = z.output<typeof movementPage>["data"][number];

const stockLevels = z.object({
  data: z.array(z.object({ product_id: z.int(), on_hand: z.int(), reserved: z.int() })),
});
const binList = z.object({ bin_list: z.array(z.object({ Bin: z.string(), Quantity: z.int() })) });
const shipments = z.object({
  data: z.array(
    z.object({ order_id: z.int(), items: z.array(z.object({ sku: z.string(), picked: z.int() })) }),
  ),
});

const perPage = 100;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** What is wrong; empty if nothing is. */
export async function faultsAtEnd(clients: Clients): Promise<readonly string[]> {
  const orders = await readOrders(clients);
  await readBins(clients);
  const movements = new Map<string, readonly Movement[]>();
  for (const sku of [...orderedSkus, countedSku]) movements.set(sku, await readMovements(clients, sku));
  return [
    ...orderFaults(clients, orders),
    ...(await stockFaults(clients, orders, movements)),
    ...feedFaults(clients, await readFeed(clients), orders, movements),
    ...historyFaults(clients),
  ];
}

/** All orders. Each was found on one page of a walk; each page is a read of its orders. */
async function readOrders(clients: Clients): Promise<readonly OrderAnswer[]> {
  const found: OrderAnswer[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/orders?per_page=${perPage}&page=${page}`;
    const exchange = await clients.calls.read({ area: "oms", method: "GET", path });
    found.push(...clients.notePage(path, exchange));
    const { total_records } = orderPage.parse(exchange.answer.body).metadata;
    if (page * perPage < total_records) continue;
    if (found.length !== total_records)
      clients.calls.find(`${found.length} orders are listed of ${total_records}`);
    return found;
  }
}

/** Every acknowledged order is stored once; one of unknown outcome at most once; nothing else is. */
function orderFaults({ history }: Clients, orders: readonly OrderAnswer[]): readonly string[] {
  const byNumber = Map.groupBy(orders, ({ order_number }) => order_number);
  const faults = [...history.creations].flatMap(([number, { input, exchange }]) => {
    const stored = byNumber.get(number) ?? [];
    for (const { order_id } of stored)
      history.orders.note(order_id, exchange, input, exchange.answer && { version: 1, status: "Pending" });
    if (stored.length > 1) return [`order ${number} is stored ${stored.length} times`];
    return stored.length === 0 && exchange.answer?.status === 200
      ? [`order ${number} was acknowledged and is lost`]
      : [];
  });
  const strays =
    orders.filter(({ order_number }) => !history.creations.has(order_number)).length - history.initial.size;
  return strays === 0 ? faults : [...faults, `${strays} orders are stored that no client created`];
}

/** What lies in the counted bins is what was accepted last. */
async function readBins({ calls, history }: Clients): Promise<void> {
  const productId = history.created.get(countedSku)?.product_id;
  const exchange = await calls.read({
    area: "wms",
    method: "GET",
    path: `/inventory/products/${productId}/bin`,
  });
  for (const bin of history.bins.records) {
    const units = binList.parse(exchange.answer.body).bin_list.find(({ Bin }) => Bin === bin)?.Quantity ?? 0;
    history.bins.note(bin, exchange, { qty: 0 }, { units });
  }
}

function historyFaults({ history }: Clients): readonly string[] {
  for (const claim of history.openClaims)
    for (const order of history.orders.records)
      history.orders.note(order, claim, { call: "claim" }, undefined);
  const initial = (sku: string | number) => {
    const product = history.created.get(String(sku));
    return { version: product?.version ?? 0, description: product?.description ?? "" };
  };
  return [
    ...history.orders.contradictions("order", (id) => orderModel(history.initial.get(Number(id)) ?? null)),
    ...history.products.contradictions("product", (sku) => productModel(initial(sku))),
    ...history.bins.contradictions("bin", () => binModel),
  ];
}

async function readMovements({ calls }: Clients, sku: string): Promise<readonly Movement[]> {
  const found: Movement[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/inventory/stock/${sku}/movements?order_direction=asc&per_page=${perPage}&page=${page}`;
    const { data, metadata } = movementPage.parse(
      (await calls.read({ area: "oms", method: "GET", path })).answer.body,
    );
    found.push(...data);
    if (page * perPage >= metadata.total_records) return found;
  }
}

/** Stock is the sum of its movements, of bins and picked goods, and of what open orders hold. */
async function stockFaults(
  { calls }: Clients,
  orders: readonly OrderAnswer[],
  movements: ReadonlyMap<string, readonly Movement[]>,
): Promise<readonly string[]> {
  const picked = await readPicked(calls);
  const faults: string[] = [];
  for (const [sku, moved] of movements) {
    const read = (path: string) => calls.read({ area: "oms", method: "GET", path });
    const [level] = stockLevels.parse((await read(`/inventory/stock?sku=${sku}`)).answer.body).data;
    const bins = await calls.read({
      area: "wms",
      method: "GET",
      path: `/inventory/products/${level?.product_id}/bin`,
    });
    const inBins = sum(binList.parse(bins.answer.body).bin_list.map(({ Quantity }) => Quantity));
    const isOpen = ({ status }: OrderAnswer) => status === "Pending" || status === "Processing";
    const lines = orders.filter(isOpen).flatMap(({ items }) => items.filter((item) => item.sku === sku));
    const expected: readonly (readonly [string, number | undefined, number])[] = [
      ["on hand, by movements", level?.on_hand, sum(moved.map(({ on_hand }) => on_hand))],
      ["on hand, by bins and picked goods", level?.on_hand, inBins + (picked.get(sku) ?? 0)],
      ["reserved, by movements", level?.reserved, sum(moved.map(({ reserved }) => reserved))],
      ["reserved, by open orders", level?.reserved, sum(lines.map(({ quantity }) => quantity))],
    ];
    for (const [title, actual, right] of expected)
      if (actual !== right) faults.push(`${sku}: ${title}: ${actual}, not ${right}`);
    const corrections = moved.flatMap(({ correction_id }) => correction_id ?? []);
    if (new Set(corrections).size !== corrections.length)
      faults.push(`${sku}: a correction was applied twice`);
  }
  return faults;
}

/** Units that were picked for orders and are not shipped yet, by SKU. Clients pick orders whole. */
async function readPicked(calls: Clients["calls"]): Promise<ReadonlyMap<string, number>> {
  const picked = new Map<string, number>();
  for (let page = 1; ; page += 1) {
    const body = { page, per_page: perPage };
    const { answer } = await calls.read({
      area: "mobile",
      method: "POST",
      path: "/mobile-v1/qc-shippings-1",
      body,
    });
    const { data } = shipments.parse(answer.body);
    for (const { sku, picked: units } of data.flatMap(({ items }) => items))
      picked.set(sku, (picked.get(sku) ?? 0) + units);
    if (data.length < perPage) return picked;
  }
}

const event = z.object({
  sequence: z.int(),
  type: z.string(),
  subject: z.object({ kind: z.string(), id: z.string() }),
  data: z.looseObject({}),
});
type Event = z.output<typeof event>;

/** The whole feed. What clients have read of it before must be the same. */
async function readFeed(clients: Clients): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (;;) {
    const path = `/events?limit=${perPage}&after=${events.at(-1)?.sequence ?? 0}`;
    const { answer } = await clients.calls.read({ area: "oms", method: "GET", path });
    const page = eventPage.parse(answer.body);
    for (const one of page.data) clients.noteEvent(one.sequence, JSON.stringify(one));
    events.push(...page.data.map((one) => event.parse(one)));
    if (page.data.length === 0) return events;
  }
}

const versioned = z.object({ version: z.int() });

/** The feed has no gap, each change once, and shows each version of a record as it was. */
function feedFaults(
  { history }: Clients,
  events: readonly Event[],
  orders: readonly OrderAnswer[],
  movements: ReadonlyMap<string, readonly Movement[]>,
): readonly string[] {
  const faults = events.flatMap(({ sequence }, position) =>
    sequence === position + 1 ? [] : [`the feed has event ${sequence} in place of ${position + 1}`],
  );
  const versions = new Map<string, Set<number>>();
  const seen = new Set<string>();
  for (const { type, subject, data } of events.filter(({ type }) => /^(order|product)\./.test(type))) {
    const record = `${subject.kind} ${subject.id}`;
    const { version } = versioned.parse(data);
    const change = `${type} of ${record} to version ${version}`;
    if (seen.has(change)) faults.push(`the feed has twice: ${change}`);
    seen.add(change);
    const known = versions.get(record) ?? new Set();
    // An event may show a version at any time, as long as it is one that the order had.
    if (subject.kind === "order" && !known.has(version) && !history.initial.has(Number(subject.id)))
      history.orders.note(Number(subject.id), atAnyTime, { call: "read" }, shownOf(orderAnswer.parse(data)));
    versions.set(record, known.add(version));
  }
  for (const { order_id, version } of orders) {
    const published = versions.get(`order ${order_id}`)?.size ?? 0;
    if (published !== version)
      faults.push(`the feed shows ${published} of ${version} versions of order ${order_id}`);
  }
  return [...faults, ...stockEventFaults(history, events, movements)];
}

const atAnyTime = { began: 0, ended: Number.POSITIVE_INFINITY };

const stockEvent = z.object({
  reason: z.string(),
  order_id: z.int().optional(),
  correction_id: z.int().optional(),
  on_hand: z.int(),
  reserved: z.int(),
});

/** Each movement of stock is one event, and the last level in the feed is the sum of all movements. */
function stockEventFaults(
  history: Clients["history"],
  events: readonly Event[],
  movements: ReadonlyMap<string, readonly Movement[]>,
): readonly string[] {
  const nameOf = ({
    reason,
    order_id,
    correction_id,
  }: Pick<Movement, "reason" | "order_id" | "correction_id">) => `${reason} ${order_id ?? correction_id}`;
  return [...movements].flatMap(([sku, moved]) => {
    const id = String(history.created.get(sku)?.product_id);
    const shown = events
      .filter(({ type, subject }) => type === "stock.changed" && subject.id === id)
      .map(({ data }) => stockEvent.parse(data));
    const [published, stored] = [shown, moved].map((all) => all.map(nameOf).sort().join(", "));
    const last = shown.at(-1);
    const isRight =
      (last?.on_hand ?? 0) === sum(moved.map(({ on_hand }) => on_hand)) &&
      (last?.reserved ?? 0) === sum(moved.map(({ reserved }) => reserved));
    return [
      ...(published === stored
        ? []
        : [`${sku}: the feed shows ${shown.length} of ${moved.length} movements`]),
      ...(isRight ? [] : [`${sku}: the last event of its stock shows ${JSON.stringify(last)}`]),
    ];
  });
}
