/** What must be true after a schedule, of what clients were answered and of what is stored. */
import * as z from "zod";
import { endpoint as listEvents } from "../../functions/oms/events/list-events.ts";
import { endpoint as listOrders } from "../../functions/oms/orders/list-orders.ts";
import { verify } from "../../infra/operator/verify/index.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { noIdempotencyKey } from "../../shared/store/store-once.ts";
import type { History, Recorded } from "./workload.ts";

const context = (db: Database) => ({
  db,
  account_id: 100,
  actor: "account:100",
  now: new Date().toISOString(),
  idempotency: noIdempotencyKey,
});

const order = z.object({
  order_id: z.int(),
  order_number: z.string(),
  order_reference: z.nullable(z.string()),
  status: z.string(),
  sub_status: z.nullable(z.string()),
});
type Order = z.output<typeof order>;

const many = z.object({ data: z.array(order) });
const one = z.object({ data: order });
const page = z.object({
  data: z.array(order),
  metadata: z.object({ total_records: z.int(), total_current_page: z.int() }),
});

/** What is wrong; empty if nothing is. */
export async function faultsAfter(
  history: History,
  db: Database,
  { verified }: { readonly verified: boolean },
): Promise<readonly string[]> {
  const stored = await storedOrders(db);
  return [
    ...answeredFaults(history.calls),
    ...createdFaults(history.calls, stored),
    ...registerFaults(history.calls, stored),
    ...pageFaults(history.calls),
    ...(await eventFaults(db, stored)),
    ...(verified ? await verifyFaults(db) : []),
  ];
}

async function storedOrders(db: Database): Promise<readonly Order[]> {
  const query = listOrders.request.shape["query"];
  if (query === undefined) throw new Error("orders can't be listed");
  const answer = await listOrders.flow(
    { query: { page: 1, per_page: 1000, order_by: "OrderID", order_direction: "asc" } },
    context(db),
  );
  return many.parse(answer).data;
}

/** Everything was answered as the interface says: a success, or a refusal of what was asked. */
const answeredFaults = (calls: readonly Recorded[]): readonly string[] =>
  calls
    .filter(({ answer: { status } }) => ![200, 400, 404].includes(status))
    .map(({ operation, answer }) => `${operation} was answered ${answer.status} ${answer.body}`);

/** An order that was answered exists once, and no other does. */
function createdFaults(calls: readonly Recorded[], stored: readonly Order[]): readonly string[] {
  const numbers = Map.groupBy(stored, ({ order_number }) => order_number);
  const twice = [...numbers]
    .filter(([, orders]) => orders.length > 1)
    .map(([number]) => `${number} is stored twice`);
  const creates = calls.filter(({ operation }) => operation === "createOrders");
  const answered = creates
    .filter(({ answer }) => answer.status === 200)
    .flatMap(({ answer }) => many.parse(JSON.parse(answer.body)).data);
  const lost = answered.filter(
    ({ order_number, order_id }) => numbers.get(order_number)?.[0]?.order_id !== order_id,
  );
  return [
    ...twice,
    ...lost.map(
      ({ order_number, order_id }) => `${order_number} (${order_id}) was created, and is not stored`,
    ),
  ];
}

/** A value of a field of an order that a call wrote or showed. */
interface Access {
  readonly kind: "write" | "read";
  readonly value: string | null;
  readonly began: number;
  readonly ended: number;
}

/**
 * The reference and the sub-status of each order are registers: what is read last is the value of a write
 * that no other acknowledged write followed, and no read shows what was overwritten before it began.
 */
function registerFaults(calls: readonly Recorded[], stored: readonly Order[]): readonly string[] {
  return stored.flatMap(({ order_id, order_reference, sub_status }) => {
    const references = accessesOf(calls, order_id, "updateOrders", (shown) => shown.order_reference);
    const subStatuses = accessesOf(calls, order_id, "setSubStatus", (shown) => shown.sub_status);
    const end = { kind: "read", began: Number.POSITIVE_INFINITY, ended: Number.POSITIVE_INFINITY } as const;
    return [
      ...staleReads(`reference of ${order_id}`, [...references, { ...end, value: order_reference }]),
      ...staleReads(`sub-status of ${order_id}`, [...subStatuses, { ...end, value: sub_status }]),
    ];
  });
}

function accessesOf(
  calls: readonly Recorded[],
  orderId: number,
  writer: string,
  fieldOf: (order: Order) => string | null,
): readonly Access[] {
  return calls.flatMap(({ operation, answer, began, ended }): Access[] => {
    if (
      answer.status !== 200 ||
      operation === "listOrders" ||
      operation === "recount" ||
      operation === "revertShipments"
    )
      return [];
    const body: unknown = JSON.parse(answer.body);
    const shown =
      operation === "createOrders" || operation === "updateOrders"
        ? many.parse(body).data
        : [one.parse(body).data];
    return shown
      .filter(({ order_id }) => order_id === orderId)
      .map((found) => ({
        kind: operation === writer ? "write" : "read",
        value: fieldOf(found),
        began,
        ended,
      }));
  });
}

function staleReads(what: string, accesses: readonly Access[]): readonly string[] {
  const writes = accesses.filter(({ kind }) => kind === "write");
  return accesses
    .filter(({ kind }) => kind === "read")
    .flatMap((read) => {
      const before = writes.filter(({ ended }) => ended < read.began);
      const written = writes.find(({ value }) => value === read.value);
      const isOverwritten = (from: number) => before.some(({ began }) => began > from);
      if (written === undefined)
        return before.length > 0
          ? [`the ${what} shows ${read.value}, which is older than ${before.at(-1)?.value}`]
          : [];
      return isOverwritten(written.ended)
        ? [`the ${what} shows ${read.value}, which was overwritten before`]
        : [];
    });
}

/** A page that claims so many records has them, and its order. */
const pageFaults = (calls: readonly Recorded[]): readonly string[] =>
  calls.flatMap(({ operation, sent, answer }) => {
    if (operation !== "listOrders" || answer.status !== 200) return [];
    const { data, metadata } = page.parse(JSON.parse(answer.body));
    const { page: number = "1", per_page: size = "100" } = sent.query ?? {};
    const expected = Math.max(
      0,
      Math.min(Number(size), metadata.total_records - (Number(number) - 1) * Number(size)),
    );
    const fault = `a page of orders ${JSON.stringify(sent.query)} claims ${metadata.total_records} records in all and ${metadata.total_current_page} on it, and has ${data.length}`;
    return data.length === expected && metadata.total_current_page === expected ? [] : [fault];
  });

const feed = z.object({
  data: z.array(z.object({ sequence: z.int(), type: z.string(), data: z.unknown() })),
  feed: z.object({ next_after: z.int(), latest: z.int() }),
});

/** The feed has no gap, and the last event about each order shows it as it is stored. */
async function eventFaults(db: Database, stored: readonly Order[]): Promise<readonly string[]> {
  const events: z.output<typeof feed>["data"] = [];
  for (let after = 0; ; ) {
    const answer = feed.parse(
      await listEvents.flow({ query: { after, order: "asc", limit: 100, wait: 0 } }, context(db)),
    );
    events.push(...answer.data);
    if (answer.data.length === 0) break;
    after = answer.feed.next_after;
  }
  const gaps = events
    .filter(
      ({ sequence }, position) => position > 0 && sequence !== (events[position - 1]?.sequence ?? 0) + 1,
    )
    .map(({ sequence }) => `the feed has a gap before ${sequence}`);
  const last = new Map<number, Order>();
  for (const { type, data } of events) {
    const found = type.startsWith("order.") ? order.safeParse(data) : undefined;
    if (found?.success) last.set(found.data.order_id, found.data);
  }
  const late = stored.flatMap((one) => {
    const shown = last.get(one.order_id);
    if (shown === undefined) return [`no event shows order ${one.order_id}`];
    const isSame =
      shown.status === one.status &&
      shown.order_reference === one.order_reference &&
      shown.sub_status === one.sub_status;
    return isSame
      ? []
      : [
          `the last event of order ${one.order_id} shows ${JSON.stringify(shown)}, stored is ${JSON.stringify(one)}`,
        ];
  });
  return [...gaps, ...late];
}

async function verifyFaults(db: Database): Promise<readonly string[]> {
  const found: string[] = [];
  await verify({
    db,
    accountId: undefined,
    report: (finding) => found.push(`verify: ${JSON.stringify(finding)}`),
    settleMs: 0,
    retryBudgetMs: 1,
    emptyBlocks: 2,
    segments: 1,
  });
  return found;
}
