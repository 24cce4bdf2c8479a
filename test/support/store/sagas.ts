/** What sagas leave in the tables, for tests to check. */

import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { expect } from "vitest";
import * as z from "zod/mini";
import { schedule } from "../../../functions/jobs/resume-sagas.ts";
import { type Finding, verify } from "../../../infra/operator/verify/index.ts";
import type { Endpoint, RequestSchema } from "../../../shared/http/endpoint.ts";
import { idempotently } from "../../../shared/http/idempotent-call.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { type Order, stockEffectOf } from "../../../shared/orders/order.ts";
import { orders } from "../../../shared/orders/storage/order-repository.ts";
import { orderAsStored } from "../../../shared/orders/storage/stored-order.ts";
import type { EndpointContract } from "../../../shared/runtime/contract.ts";
import { type Movement, movement } from "../../../shared/stock/movements/movement.ts";
import { stockChanges, stockKeyText } from "../../../shared/stock/stock.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import type { Idempotency } from "../../../shared/store/idempotency.ts";
import { readList } from "../../../shared/store/lists/read-list.ts";
import { abandonedSagas } from "../../../shared/store/sagas/open-sagas.ts";
import { eventOf } from "../../unit/samples.ts";
import { contextOf, type Owner } from "../records/flows.ts";
import { unique } from "../records/records.ts";
import { itemsOf } from "./scan.ts";

/** Has the schedule `resume-sagas` finish every saga in progress, as if all were abandoned. */
export const resumeAll = (db: Database) => schedule.run({ db, now: "9999", remaining: () => 60_000 });

/** Makes all sagas in progress look abandoned, so that `resume-sagas` resumes them. */
export async function makeSagasOverdue(db: Database): Promise<void> {
  for (const { pk, sk } of (await itemsOf(db, "jobs")).filter((item) => item["queued_shard"] === "steps")) {
    const UpdateExpression = "SET check_at = :past";
    const ExpressionAttributeValues = { ":past": "2026-01-01T00:00:00.000Z" };
    const TableName = db.tableName("jobs");
    await db.client.send(
      new UpdateCommand({ TableName, Key: { pk, sk }, UpdateExpression, ExpressionAttributeValues }),
    );
  }
}

/** A call with an `Idempotency-Key`, which can be made again over any connection. */
export function keyed(
  endpoint: EndpointContract,
  run: (db: Database, idempotency: Idempotency) => Promise<object>,
  shape = (answer: object): object => answer,
): (db: Database) => ReturnType<typeof idempotently> {
  const event = eventOf({ headers: { "idempotency-key": unique("steps") } });
  return (db) =>
    idempotently({ db, endpoint, event, actor: "test", shape }, async (idempotency) =>
      shape(await run(db, idempotency)),
    );
}

/** An account's call of the OMS with a key of its own. */
export const asked = <I extends RequestSchema, O extends z.core.$ZodType<object, object>>(
  { accountId }: Pick<Owner, "accountId">,
  endpoint: Endpoint<"oms", I, O>,
  body: object,
  more: object = {},
) =>
  keyed(
    endpoint,
    (db, idempotency) =>
      endpoint.flow(parseRequest(endpoint.request, { body, ...more }), {
        ...contextOf({ db, accountId }),
        idempotency,
      }),
    (answer) => z.parse(endpoint.response, answer),
  );

/** Asserts that no saga is in progress: one that is later was begun by another call. */
export const expectNoSagaInProgress = async ({ db }: Pick<Owner, "db">): Promise<void> =>
  expect(await abandonedSagas(db, "9999", 1)).toEqual([]);

/**
 * Asserts what is true of every account whenever no saga is in progress: nothing is left of a saga; the
 * operator's verification finds nothing wrong with stock, lists and lookups; the movements about an order
 * come to what is reserved for it and what has left with it; and the list of orders counts the account's
 * orders.
 */
export async function expectSettled({ db, accountId }: Owner): Promise<void> {
  const [inventory, stored, jobs, directory] = await Promise.all([
    itemsOf(db, "inventory"),
    itemsOf(db, "orders"),
    itemsOf(db, "jobs"),
    itemsOf(db, "directory"),
  ]);
  const held = [...inventory, ...stored, ...jobs, ...directory].filter((item) => "underway" in item);
  expect([...held, ...jobs.filter(isOf("steps"))]).toEqual([]);
  const findings: Finding[] = [];
  const report = (finding: Finding) => void findings.push(finding);
  // What waits for steps is small, so few calls read all of it.
  const fewCalls = { segments: 1 };
  await verify({ db, accountId: undefined, report, settleMs: 0, retryBudgetMs: 0, ...fewCalls });
  expect(findings).toEqual([]);
  const movements = inventory.filter(isOf("movement")).map((item) => z.parse(movement, item));
  const known = stored.filter(isOf("order")).map((item) => z.parse(orderAsStored, item).record);
  expect(effects(movements)).toEqual(Object.fromEntries(known.flatMap(effectOf)));
  const { total } = await readList(orders, db, accountId, { page: 1, per_page: 1 });
  expect(total).toBe(known.filter(({ account_id }) => account_id === accountId).length);
}

const isOf =
  (name: string) =>
  ({ pk }: RawItem): boolean =>
    String(pk).startsWith(`${name}#`);

const unitsOf = (all: readonly Movement[]) => ({
  on_hand: all.reduce((sum, { on_hand }) => sum + on_hand, 0),
  reserved: all.reduce((sum, { reserved }) => sum + reserved, 0),
});

/** What the movements about orders come to, by order and place. Those that come to nothing are left out. */
function effects(movements: readonly Movement[]): Readonly<Record<string, object>> {
  const about = movements.filter(({ reference }) => reference.order_id !== undefined);
  const sums = Map.groupBy(about, (one) => `${one.reference.order_id}: ${stockKeyText(one)}`);
  const totals = [...sums].map(([name, all]) => [name, unitsOf(all)] as const);
  return Object.fromEntries(totals.filter(([, { on_hand, reserved }]) => on_hand !== 0 || reserved !== 0));
}

/** What an order does to stock, by order and place. */
function effectOf(one: Order): readonly (readonly [string, object])[] {
  const changes = stockChanges([], stockEffectOf(one));
  return changes.map(({ on_hand, reserved, ...place }) => [
    `${one.order_id}: ${stockKeyText(place)}`,
    { on_hand, reserved },
  ]);
}
