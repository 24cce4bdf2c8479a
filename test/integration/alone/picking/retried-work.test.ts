/**
 * The same `Idempotency-Key` has one effect in the warehouse, however the first call died.
 */
import { describe, expect, test } from "vitest";
import { endpoint as checkShippings } from "../../../../functions/v2/mobile/check-shippings.ts";
import { endpoint as moveGoodsEndpoint } from "../../../../functions/v2/mobile/move-goods.ts";
import { endpoint as updatePickLog } from "../../../../functions/v2/mobile/update-pick-log.ts";
import { endpoint as putAwayMove } from "../../../../functions/v2/pro/put-away-move.ts";
import { putAway } from "../../../../shared/inbound/put-away.ts";
import { pickOrder, shipOrder } from "../../../../shared/picking/picking-flows.ts";
import type { EndpointContract } from "../../../../shared/runtime/contract.ts";
import { moveGoods } from "../../../../shared/stock/bins/move-goods.ts";
import { expectBalance } from "../../../support/business/ledger.ts";
import { stockpile } from "../../../support/business/stockpile.ts";
import { binsHold } from "../../../support/business/stored.ts";
import {
  announceReplenishment,
  asItIs,
  binNamed,
  byManager,
  claimedOrder,
  type NewProduct,
  pickFrom,
  pickItems,
} from "../../../support/business/world.ts";
import { dyingAfter } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { expireKeyLocks } from "../../../support/store/key-locks.ts";
import { keyed } from "../../../support/store/sagas.ts";

const service = await ownService({ paused: true });
/** Products of which nine units lie in A1/01. */
const nineOf = await stockpile(service, 30, [{ bin: "A1/01", quantity: 9 }]);

type Send = ReturnType<typeof keyed>;
type Run = (context: ReturnType<typeof byManager>) => Promise<object>;

const sent = (endpoint: EndpointContract, run: Run): Send =>
  keyed(endpoint, (db, idempotency) => run({ ...byManager(db), idempotency }));

/** Calls of the warehouse, and what lies where once they took effect once. */
const works: Readonly<
  Record<string, (of: NewProduct) => Promise<{ send: Send; bins: string[]; on_hand: number }>>
> = {
  pick: async ({ sku: own }) => {
    const id = await claimedOrder(service, [{ sku: own, quantity: 5 }]);
    const picks = [pickFrom(own, 2, "A1/01")];
    const run: Run = (context) => pickOrder(context, id, picks, asItIs);
    return { send: sent(updatePickLog, run), bins: ["A1/01: 7"], on_hand: 9 };
  },
  move: async ({ product_id }) => {
    const move = { quantity: 3, from: binNamed("A1/01"), to: binNamed("A2/02") };
    const run: Run = (context) => moveGoods(context, { product_id }, move, asItIs);
    return { send: sent(moveGoodsEndpoint, run), bins: ["A1/01: 6", "A2/02: 3"], on_hand: 9 };
  },
  "approval of a shipment": async ({ sku: own }) => {
    const id = await claimedOrder(service, [{ sku: own, quantity: 4 }]);
    await pickItems(service, id, pickFrom(own, 4, "A1/01"));
    const run: Run = (context) => shipOrder(context, id, {}, asItIs);
    return { send: sent(checkShippings, run), bins: ["A1/01: 5"], on_hand: 5 };
  },
  "put-away": async ({ sku: own }) => {
    const target = await announceReplenishment(service, [{ sku: own, quantity: 8 }]);
    const move = { sku: own, quantity: 4, ...binNamed("A1/01") };
    const { accountId: account_id } = service;
    const run: Run = (context) => putAway({ ...context, account_id }, target, move, asItIs);
    return { send: sent(putAwayMove, run), bins: ["A1/01: 13"], on_hand: 13 };
  },
};

describe.each(Object.entries(works))("a retried %s", (_name, prepare) => {
  test("after a call that died anywhere takes effect once, and is answered as that call would have been", async () => {
    const replayed: boolean[] = [];
    for (let writes = 0; ; writes += 1) {
      const product = nineOf();
      const { send, bins, on_hand } = await prepare(product);
      const survived = await send(dyingAfter(service, writes)).catch(() => undefined);
      if (survived !== undefined) break;
      await expireKeyLocks(service);

      const retried = await send(service.db);
      const again = await send(service.db);

      replayed.push(retried.headers?.["idempotent-replayed"] === "true");
      expect([retried.statusCode, again.statusCode]).toEqual([200, 200]);
      expect(again.body).toEqual(retried.body);
      expect(await binsHold(service, product.sku)).toEqual(bins);
      expect(await expectBalance(service, product.sku)).toMatchObject({ on_hand });
    }
    expect(new Set(replayed)).toEqual(new Set([false, true]));
  });
});
