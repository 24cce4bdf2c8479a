import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import { endpoint as cancelOrder } from "../../../functions/oms/orders/cancel-order.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as setSubStatus } from "../../../functions/oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import { findOrder, orderIdByNumber } from "../../../shared/data/orders.ts";
import type { Endpoint, RequestSchema } from "../../../shared/http/endpoint.ts";
import type { idempotently } from "../../../shared/http/idempotency.ts";
import { parseRequest } from "../../../shared/http/validation.ts";
import type { Database } from "../../../shared/store/database.ts";
import { endClaims } from "../../support/claims.ts";
import { contextOf } from "../../support/flows.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { orderOf, unique } from "../../support/records.ts";
import { expectSettled, keyed, sweep } from "../../support/steps.ts";
import { dyingAfter, troubledDatabase } from "../../support/troubled.ts";
import { newProducts, pendingOrder } from "../../support/world.ts";

/** An order of so many products takes three transactions: the first, a step and the last. */
const many = 60;

let service: OwnService;
let lines: readonly { readonly sku: string; readonly quantity: number }[];
/** Some of `lines` and others beside them. */
let others: typeof lines;
beforeAll(async () => {
  service = await startService({ paused: true });
  const products = await newProducts(service, 100);
  const all = products.map(({ sku }) => ({ sku, quantity: 2 }));
  lines = all.slice(0, many);
  others = all.slice(40, 100).map(({ sku }) => ({ sku, quantity: 3 }));
});
afterAll(() => service.runtime.stop());

/** A call about one order, which can be made again with the same key. */
interface Call {
  /** The order's number. */
  readonly number: string;
  readonly send: (db: Database) => ReturnType<typeof idempotently>;
  /** How the order shows before the call and after it; see `shown`. */
  readonly before: string;
  readonly after: string;
}

/** An OMS call with a key. */
const asked = <I extends RequestSchema, O extends z.core.$ZodType<object, object>>(
  endpoint: Endpoint<"oms", I, O>,
  body: object,
): Call["send"] =>
  keyed(endpoint, (db, foresee) =>
    endpoint.flow(parseRequest(endpoint.request, { body }), {
      ...contextOf({ db, accountId: service.accountId }),
      foresee,
    }),
  );

/** How the order of this number shows to clients: `Pending: 60 items of 2`. */
async function shown({ number }: Pick<Call, "number">): Promise<string> {
  const { db, accountId } = service;
  const id = await orderIdByNumber(db, accountId, number);
  const order = id === undefined ? undefined : await findOrder(db, accountId, id);
  return order === undefined
    ? "none"
    : `${order.status}: ${order.items.length} items of ${order.items[0]?.quantity}`;
}

/** A new order of `lines`. */
async function placed() {
  const number = unique("LARGE");
  const order_id = await pendingOrder(service, lines, { order_number: number });
  return { number, order_id, before: `Pending: ${many} items of 2` };
}

const flows: Readonly<Record<string, () => Promise<Call>>> = {
  created: async () => {
    const number = unique("LARGE");
    const data = [orderOf(lines, { order_number: number, order_reference: number })];
    return {
      number,
      send: asked(createOrders, { data }),
      before: "none",
      after: `Pending: ${many} items of 2`,
    };
  },
  cancelled: async () => {
    const { order_id, ...order } = await placed();
    return { ...order, send: asked(cancelOrder, { order_id }), after: `Cancelled: ${many} items of 2` };
  },
  replaced: async () => {
    const { number, order_id, before } = await placed();
    const data = [{ ...orderOf(others), order_number: number, order_id }];
    return { number, before, send: asked(updateOrders, { data }), after: "Pending: 60 items of 3" };
  },
};

describe.each(Object.entries(flows))("a large order that is %s", (_name, prepare) => {
  /** Has a call die after each number of calls to the database, then takes `next`, until a call survives. */
  async function dyingEverywhere(next: (call: Call, diedAt: string) => Promise<void>): Promise<void> {
    for (let calls = 0; ; calls += 1) {
      const call = await prepare();
      const survived = await call.send(dyingAfter(service, calls)).catch(() => undefined);
      if (survived !== undefined && calls > 0) return;
      await next(call, await shown(call));
    }
  }

  test("by a call that dies anywhere is stored whole or not at all once the sweeper came by", async () => {
    const found: string[] = [];

    await dyingEverywhere(async ({ before, after, ...call }, diedAt) => {
      await sweep(service.db);
      const now = await shown(call);
      // Nothing of it shows before the sweeper came.
      expect([diedAt, [before, after]]).toEqual([before, expect.arrayContaining([now])]);
      found.push(now === before ? "before" : "after");
    });

    expect(found.join()).toMatch(/^(before,)+(after,)+after$/);
    await expectSettled(service);
  });

  test("by a call that dies anywhere is stored once a retry came, which is answered as the call would have been", async () => {
    await dyingEverywhere(async (call) => {
      await endClaims(service.db);

      const { statusCode, body } = await call.send(service.db);

      expect([statusCode, await shown(call)]).toEqual([200, call.after]);
      expect(body).toContain(call.number);
    });
    await expectSettled(service);
  });

  test.each(["conflict", "lose-response"] as const)(
    "takes effect once through a %s at every transaction",
    async (trouble) => {
      const call = await prepare();
      const troubled = troubledDatabase(service);
      // Every second attempt succeeds.
      const fine = { after: async () => undefined };
      for (const each of [trouble, fine, trouble, fine, trouble, fine]) troubled.add(each);

      const { statusCode } = await call.send(troubled.db);

      expect([statusCode, troubled.hits, await shown(call)]).toEqual([200, 6, call.after]);
      await expectSettled(service);
    },
  );

  test("takes effect once where two sweepers carry out its steps at the same time", async () => {
    const call = await prepare();
    const racing = troubledDatabase(service);
    const sweeps: Promise<unknown>[] = [];
    const before = async () => void sweeps.push(sweep(service.db), sweep(service.db));
    for (let count = 0; count < 4; count += 1) racing.add({ before });

    const { statusCode } = await call.send(racing.db);
    await Promise.all(sweeps);

    expect([statusCode, await shown(call)]).toEqual([200, call.after]);
    await expectSettled(service);
  });
});

test("who changes an order that is being replaced waits for all of it, and readers see the order as it was", async () => {
  const call = await flows["replaced"]?.();
  if (call === undefined) throw new Error("there is no such flow");
  const { db, accountId } = service;
  const id = await orderIdByNumber(db, accountId, call.number);
  const met: unknown[] = [];
  const meeting = troubledDatabase(service);
  meeting.add({
    after: async () => {
      met.push(await shown(call));
      const { body } = await asked(setSubStatus, { order_id: id, sub_status: "Late" })(db);
      met.push(JSON.parse(body ?? "").data.sub_status, await shown(call));
    },
  });

  const { statusCode } = await call.send(meeting.db);

  expect(met).toEqual([call.before, "Late", call.after]);
  expect(statusCode).toBe(200);
  await expectSettled(service);
});
