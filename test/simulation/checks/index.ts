/** What must be true after a schedule, of what clients were answered and of what is stored. */
import * as z from "zod";
import { verify } from "../../../infra/operator/verify/index.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { Prepared } from "../prepared.ts";
import { operationOf } from "../workload/calls.ts";
import type { History, Recorded } from "../workload/history.ts";
import { isFirm, triedNumber } from "../workload/holds.ts";
import { sharedNumber } from "../workload/orders.ts";
import { binFaults } from "./bins.ts";
import { feedFaults } from "./feed.ts";
import { type Finding, findings } from "./finding.ts";
import { historyFaults } from "./histories.ts";
import { inboundFaults } from "./inbound.ts";
import { pageFaults } from "./pages.ts";
import { pastStockFaults } from "./past-stock.ts";
import { refusalFaults } from "./refused.ts";
import { type Order, type StockLevel, storedRecords } from "./stored.ts";

export type { Finding } from "./finding.ts";

interface Options {
  readonly start: Prepared;
  /** Whether nothing failed but by the order of calls. */
  readonly isCalm: boolean;
  /** Whether stored data are verified. */
  readonly verifies: boolean;
}

/** What is wrong; empty if nothing is. */
export async function faultsAfter(
  history: History,
  db: Database,
  { start, isCalm, verifies }: Options,
): Promise<readonly Finding[]> {
  const stored = await storedRecords(db);
  const { orders, shown } = stored;
  return [
    ...history.findings,
    ...findings("answers", badAnswers(history.calls)),
    ...findings("created once", notCreatedOnce(history.calls, orders)),
    ...findings("refused and stored", storedThoughRefused(history.calls, orders)),
    ...findings("a dry run stores nothing", triedAndStored(orders)),
    ...findings("nothing is oversold", isFirm(history.calls) ? oversold(stored.stock) : []),
    ...refusalFaults(history, start.store),
    ...binFaults(history, start.store),
    ...(await inboundFaults(history, db)),
    ...historyFaults(history.calls, shown),
    ...pageFaults(history, start.orderIds, orders),
    ...pastStockFaults(history, start.store),
    ...(await feedFaults(history, stored, db)),
    ...findings("dead letters", history.world.deadLetters),
    ...findings("errors without a cause", isCalm ? history.errors : []),
    ...(verifies ? await verifyFaults(db) : []),
  ];
}

/** Everything was answered as the interface says: a success, or a refusal of what was asked. */
const badAnswers = (calls: readonly Recorded[]): readonly string[] =>
  calls.flatMap(({ operation, answer }) =>
    answer === undefined || [200, 400, 404, 409, 412].includes(answer.status)
      ? []
      : [`${operation} was answered ${answer.status} ${answer.body}`],
  );

/** An order that was answered exists once, and no other does. */
function notCreatedOnce(calls: readonly Recorded[], stored: readonly Order[]): readonly string[] {
  const numbers = Map.groupBy(stored, ({ order_number }) => order_number);
  const ids = new Set(stored.map(({ order_id }) => `order ${order_id}`));
  const twice = [...numbers]
    .filter(([, orders]) => orders.length > 1)
    .map(([number]) => `${number} is stored twice`);
  const answered = calls
    .filter(({ operation, answer }) => operation === "createOrders" && answer?.status === 200)
    .flatMap(({ answer }) => operationOf("createOrders").shows?.(answer?.body ?? "") ?? []);
  const lost = answered.filter(({ record }) => !ids.has(record));
  return [...twice, ...lost.map(({ record }) => `${record} was created, and is not stored`)];
}

const refusal = z.object({ data: z.optional(z.array(z.object({ success: z.boolean() }))) });
const sentOrders = z.object({ data: z.array(z.object({ order_number: z.string() })) });

/** An order is not stored if the one call that names it was refused. */
function storedThoughRefused(calls: readonly Recorded[], stored: readonly Order[]): readonly string[] {
  const numbers = new Set(stored.map(({ order_number }) => order_number));
  return calls.flatMap(({ operation, sent, answer }) => {
    if (operation !== "createOrders" || answer === undefined || answer.status === 200) return [];
    const { data: outcomes } = refusal.parse(JSON.parse(answer.body));
    return sentOrders
      .parse(sent.body)
      .data.filter((_, position) => outcomes?.[position]?.success !== true)
      .filter(({ order_number: number }) => number !== sharedNumber && numbers.has(number))
      .map(({ order_number }) => `${order_number} is stored, and was refused: ${answer.body}`);
  });
}

const triedAndStored = (stored: readonly Order[]): readonly string[] =>
  stored
    .filter(({ order_number }) => order_number.startsWith(triedNumber))
    .map(({ order_number }) => `${order_number} was only tried, and is stored`);

const oversold = (stock: readonly StockLevel[]): readonly string[] =>
  stock
    .filter(({ on_hand, reserved }) => reserved > on_hand)
    .map((level) => `more is reserved than there is: ${JSON.stringify(level)}`);

async function verifyFaults(db: Database): Promise<readonly Finding[]> {
  const found: string[] = [];
  await verify({
    db,
    accountId: undefined,
    report: (finding) => found.push(JSON.stringify(finding)),
    settleMs: 0,
    retryBudgetMs: 1,
    segments: 1,
  });
  return findings("verify", found);
}
