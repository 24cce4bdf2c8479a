/** Holds, orders that are refused if short, and dry runs. */
import * as z from "zod";
import { customerInput } from "../../unit/samples.ts";
import type { Random } from "../schedule/random.ts";
import type { OperationName } from "./calls.ts";
import type { History, Recorded } from "./history.ts";

/** How the numbers of orders begin that are only tried. */
export const triedNumber = "TRIED";

/** There are 60 and 26 of these, so that a few calls sell all. */
const goods = [
  { sku: "DEMO-TEE", most: 40 },
  { sku: "DEMO-MUG", most: 16 },
];

const linesOf = (random: Random) => {
  const { sku, most } = random.of(goods);
  return { sku, quantity: 1 + random.below(most) };
};

const orderOf = (history: History, number: string, items: readonly object[]) => ({
  order_number: history.name(number),
  order_reference: history.name("REF"),
  shipping_method: "GROUND",
  customer: customerInput,
  cart: { store_name: "Demo Marketplace" },
  if_short: "refuse",
  items,
});

/** Creates orders that are refused if short. */
async function createRefusing(history: History, random: Random, orders: readonly (readonly object[])[]) {
  const data = orders.map((items) => orderOf(history, "FIRM", items));
  const writes = data.map(({ order_reference }) => ({
    record: undefined,
    fields: { order_reference, sub_status: null },
  }));
  await history.send(random, "createOrders", { body: { data } }, writes);
}

export const orderIfShort = (history: History, random: Random): Promise<void> =>
  createRefusing(
    history,
    random,
    Array.from({ length: 1 + random.below(2) }, () => [linesOf(random)]),
  );

const placed = z.object({ data: z.array(z.object({ hold_id: z.string(), sku: z.string() })) });

export async function place(history: History, random: Random): Promise<void> {
  const data = Array.from({ length: 1 + random.below(2) }, () => ({
    ...linesOf(random),
    expires_in: random.of([30, 60]),
  }));
  const answer = await history.send(random, "createHolds", { body: { data } });
  if (answer?.status === 200) history.holds.push(...placed.parse(JSON.parse(answer.body)).data);
}

/** Orders what is held, or more of it. */
export async function use(history: History, random: Random): Promise<void> {
  const held = history.holds.at(-1);
  if (held === undefined) return place(history, random);
  const { hold_id, sku } = held;
  await createRefusing(history, random, [[{ sku, quantity: 1 + random.below(20), hold_id }]]);
}

export async function end(history: History, random: Random): Promise<void> {
  const hold_id = history.holds.at(-1)?.hold_id;
  if (hold_id === undefined) return place(history, random);
  await history.send(random, "deleteHold", { path: { hold_id } });
}

/** Tries two orders that are refused if short. Nothing of them must be stored. */
export const tryOrders = (history: History, random: Random) =>
  history.send(random, "tryOrders", {
    query: { dry_run: "true" },
    body: { data: [0, 1].map(() => orderOf(history, triedNumber, [linesOf(random)])) },
  });

/** Operations that never sell more than there is. */
const harmless: ReadonlySet<OperationName> = new Set<OperationName>([
  "createHolds",
  "deleteHold",
  "tryOrders",
  "cancelOrder",
  "listStock",
  "listOrders",
]);

const refusing = z.object({ data: z.array(z.object({ if_short: z.literal("refuse") })) });

/** Whether no call of a schedule may sell more than there is. */
export const isFirm = (calls: readonly Recorded[]): boolean =>
  calls.every(
    ({ operation, sent }) =>
      harmless.has(operation) || (operation === "createOrders" && refusing.safeParse(sent.body).success),
  );
