/** What an account does with its orders. */
import * as z from "zod";
import { customerInput } from "../../unit/samples.ts";
import type { Random } from "../schedule/random.ts";
import { operationOf } from "./calls.ts";
import type { History, Written } from "./history.ts";

/** A number that several calls want to give to their orders. */
export const sharedNumber = "SAME";

const line = (sku: string, quantity: number) => ({ sku, quantity });
const skus = ["DEMO-TEE", "DEMO-MUG", "DEMO-KIT", "DEMO-TEE", "EXT-TEE"];
const pages: readonly Readonly<Record<string, string>>[] = [
  { per_page: "2" },
  { per_page: "2", page: "2" },
  { status_id: "1", per_page: "100" },
  { status_id: "4", per_page: "2" },
  { per_page: "100", order_direction: "desc" },
];

const termsOf = (random: Random) => ({
  shipping_method: "GROUND",
  customer: customerInput,
  cart: { store_name: "Demo Marketplace" },
  items: Array.from({ length: random.of([1, 1, 2]) }, () => line(random.of(skus), 1 + random.below(4))),
});

const named = (orderId: number): string => `order ${orderId}`;

export async function create(history: History, random: Random): Promise<void> {
  const data = Array.from({ length: 1 + random.below(3) }, () => ({
    order_number: random.happens(0.15) ? sharedNumber : history.name("NEW"),
    order_reference: history.name("REF"),
    ...termsOf(random),
  }));
  await createAll(history, random, data);
}

async function createAll(
  history: History,
  random: Random,
  data: readonly (ReturnType<typeof termsOf> & {
    readonly order_number: string;
    readonly order_reference: string;
  })[],
): Promise<void> {
  const writes = data.map(({ order_reference }) => ({
    record: undefined,
    fields: { order_reference, sub_status: null },
  }));
  const answer = await history.send(random, "createOrders", { body: { data } }, writes);
  if (answer?.status === 200) history.orderIds.push(...createdIn(answer.body));
}

const created = z.object({ data: z.array(z.object({ order_id: z.int() })) });
const createdIn = (body: string): readonly number[] =>
  created.parse(JSON.parse(body)).data.map(({ order_id }) => order_id);

export async function replace(history: History, random: Random): Promise<void> {
  const ids = new Set(Array.from({ length: 1 + random.below(2) }, () => history.order(random)));
  await put(
    history,
    random,
    [...ids].map((order_id) => ({ order_id })),
  );
}

/** Reads an order and replaces it unless it has changed since. */
export async function replaceIfVersion(history: History, random: Random): Promise<void> {
  const order_id = history.order(random);
  const answer = await history.send(random, "getOrder", { path: { order: String(order_id) } });
  if (answer?.status !== 200) return;
  await history.think(random);
  const [shown] = operationOf("getOrder").shows?.(answer.body) ?? [];
  if (shown !== undefined) await put(history, random, [{ order_id, version: shown.version }]);
}

async function put(
  history: History,
  random: Random,
  targets: readonly {
    readonly order_id: number;
    readonly version?: number;
  }[],
): Promise<void> {
  const data = targets.map((target) => ({
    ...termsOf(random),
    ...target,
    order_reference: history.name("REF"),
  }));
  const writes = data.map(
    ({ order_id, order_reference, version }): Written => ({
      record: named(order_id),
      fields: { order_reference },
      ...(version !== undefined && { expected: version }),
    }),
  );
  await history.send(random, "updateOrders", { body: { data } }, writes);
}

/** Gives an order another number. */
export async function rename(history: History, random: Random): Promise<void> {
  const [order_id, order_number] = [history.order(random), history.name("RENAMED")];
  const order_reference = history.name("REF");
  const data = [{ ...termsOf(random), order_id, order_number, order_reference }];
  const writes = [{ record: named(order_id), fields: { order_number, order_reference } }];
  const answer = await history.send(random, "updateOrders", { body: { data } }, writes);
  if (answer?.status === 200) history.numbers.set(order_id, order_number);
}

/** Replaces an order by its number, which another client may change meanwhile. */
export async function replaceNamed(history: History, random: Random): Promise<void> {
  const order_id = history.order(random);
  const order_number = history.numbers.get(order_id);
  if (order_number === undefined) return rename(history, random);
  const order_reference = history.name("REF");
  const data = [{ ...termsOf(random), order_number, order_reference }];
  const writes = [{ record: named(order_id), fields: { order_reference }, named: { order_number } }];
  await history.send(random, "updateOrders", { body: { data } }, writes);
}

export async function cancel(history: History, random: Random): Promise<void> {
  const order_id = history.order(random);
  await history.send(random, "cancelOrder", { body: { order_id } }, [
    { record: named(order_id), fields: {} },
  ]);
}

export async function annotate(history: History, random: Random): Promise<void> {
  const [order_id, sub_status] = [history.order(random), history.name("SUB")];
  const writes = [{ record: named(order_id), fields: { sub_status } }];
  await history.send(random, "setSubStatus", { body: { order_id, sub_status } }, writes);
}

export const read = (history: History, random: Random) =>
  history.send(random, "getOrder", { path: { order: String(history.order(random)) } });

export const list = (history: History, random: Random) =>
  history.send(random, "listOrders", { query: random.of(pages) });

const page = z.object({
  data: z.array(z.object({ order_id: z.int() })),
  metadata: z.object({ total_records: z.int() }),
});

/** Reads all orders page by page, oldest first. */
export async function walk(history: History, random: Random): Promise<void> {
  const began = history.moment();
  const per_page = random.of([1, 2, 3]);
  const ids: number[] = [];
  for (let number = 1; number <= 60; number += 1) {
    const query = {
      page: String(number),
      per_page: String(per_page),
      order_by: "OrderID",
      order_direction: "asc",
    };
    const answer = await history.send(random, "listOrders", { query });
    if (answer?.status !== 200) return;
    const { data, metadata } = page.parse(JSON.parse(answer.body));
    ids.push(...data.map(({ order_id }) => order_id));
    if (number * per_page >= metadata.total_records) break;
  }
  history.walks.push({ began, ids });
}
