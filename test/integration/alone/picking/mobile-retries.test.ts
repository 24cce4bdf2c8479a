import { beforeEach, expect, test } from "vitest";
import { claimOrder, pickOrder } from "../../../../shared/picking/picking-flows.ts";
import { expectEachBalanced } from "../../../support/business/ledger.ts";
import { stockpile } from "../../../support/business/stockpile.ts";
import { binsHold } from "../../../support/business/stored.ts";
import {
  announceReplenishment,
  asItIs,
  byManager,
  pendingOrder,
  pickFrom,
} from "../../../support/business/world.ts";
import { timesAtOnce } from "../../../support/http/at-once.ts";
import type { Client } from "../../../support/http/client.ts";
import { signIn } from "../../../support/http/mobile.ts";
import { unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { expireKeyLocks } from "../../../support/store/key-locks.ts";

const service = await ownService();
/** The next product of which nine lie in A1/01. */
const nineOf = await stockpile(service, 11, [{ bin: "A1/01", quantity: 9 }]);
const mobile = await signIn(service);

let sku: string;
beforeEach(() => {
  ({ sku } = nineOf());
});

/** A new order for so many units that this file's picker has claimed. */
async function claimed(quantity: number): Promise<number> {
  const orderId = await pendingOrder(service, [{ sku, quantity }]);
  await claimOrder(byManager(service.db), orderId, mobile.user_name);
  return orderId;
}

interface Case {
  /** The function that dies once its transaction is stored. */
  readonly function: string;
  /** Prepares the call; sending it again sends the same. */
  readonly prepare: () => Promise<(headers: Record<string, string>) => ReturnType<Client["post"]>>;
  /** What lies where once it took effect once. */
  readonly bins: readonly string[];
}

const cases: readonly Case[] = [
  {
    function: "v2/mobile/update-pick-log",
    prepare: async () => {
      const body = { order_id: await claimed(5), picks: [{ sku, location: "A1", bin: "01", quantity: 2 }] };
      return (headers) => mobile.post("/mobile-v1/pp-updateLogPick-1", body, headers);
    },
    bins: ["A1/01: 7"],
  },
  {
    function: "v2/mobile/move-goods",
    prepare: async () => {
      const places = { from: { location: "A1", bin: "01" }, to: { location: "A2", bin: "02" } };
      const body = { sku, account_id: 100, quantity: 3, ...places };
      return (headers) => mobile.post("/mobile-v1/pp-move-1", body, headers);
    },
    bins: ["A1/01: 6", "A2/02: 3"],
  },
  {
    function: "v2/mobile/check-shippings",
    prepare: async () => {
      const order_id = await claimed(4);
      const picker = { ...byManager(service.db), user_name: mobile.user_name };
      await pickOrder(picker, order_id, [pickFrom(sku, 4, "A1/01")], asItIs);
      return (headers) => mobile.post("/mobile-v1/qc-shippings-1", { order_id, approve: true }, headers);
    },
    bins: ["A1/01: 5"],
  },
  {
    function: "v2/pro/put-away-move",
    prepare: async () => {
      const target = await announceReplenishment(service, [{ sku, quantity: 8 }]);
      const move = { ...target, sku, quantity: 4, location: "A1", bin: "01" };
      return (headers) => service.v2.post("/pro-v1/put-away-move", move, headers);
    },
    bins: ["A1/01: 13"],
  },
];

/** Products of calls that were answered on a retry. */
const answered: string[] = [];

test.each(cases)(
  "$function that dies right after its write is answered on a retry, and took effect once",
  async (one) => {
    const send = await one.prepare();
    const key = { "Idempotency-Key": unique("retried") };
    service.runtime.faults.add({
      effect: "kill-after",
      operation: "TransactWriteItems",
      function: one.function,
    });

    const died = await send(key);
    await expireKeyLocks(service);
    const retried = await send(key);
    const again = await send(key);

    expect([died.status, retried.status]).toEqual([500, 200]);
    expect(retried.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(retried.body);
    expect(await binsHold(service, sku)).toEqual(one.bins);
    answered.push(sku);
  },
);

test("goods of which calls were answered on a retry have books that agree", () =>
  expectEachBalanced(service, answered));

test.each(cases)("$function that dies right before its write runs on a retry", async (one) => {
  const send = await one.prepare();
  const key = { "Idempotency-Key": unique("retried") };
  service.runtime.faults.add({
    effect: "kill-before",
    operation: "TransactWriteItems",
    function: one.function,
  });

  const died = await send(key);
  await expireKeyLocks(service);
  const retried = await send(key);

  expect([died.status, retried.status]).toEqual([500, 200]);
  expect(retried.headers.get("idempotent-replayed")).toBeNull();
  expect(await binsHold(service, sku)).toEqual(one.bins);
});

test("a retry that meets the transaction of the first call is told to wait, and nothing happens twice", async () => {
  const [move] = cases.filter((one) => one.function === "v2/mobile/move-goods");
  if (move === undefined) throw new Error("there is no such case");
  const send = await move.prepare();
  const key = { "Idempotency-Key": unique("retried") };
  service.runtime.raiseConflicts(true);
  // The first call is under way for so long that a retry meets it, also where its instance is slow.
  service.runtime.addLatency(150);

  const answers = await timesAtOnce(service, 4, () => send(key));
  service.runtime.raiseConflicts(false);
  service.runtime.addLatency(0);

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(await binsHold(service, sku)).toEqual(move.bins);
});

test("a move may name the demo data's goods by their SKU alone, for only one account has them", async () => {
  const [from, to] = [
    { location: "A1", bin: "01" },
    { location: "A2", bin: "02" },
  ];

  const answer = await mobile.post("/mobile-v1/pp-move-1", { sku: "DEMO-TEE", from, to, quantity: 1 });

  expect(answer.status).toBe(200);
});
