import { randomBytes } from "node:crypto";
import { TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { endpoint } from "../../../functions/oms/orders/create-orders.ts";
import { placed, valuesOf } from "../../../shared/common/placed.ts";
import { bulkCall } from "../../../shared/http/bulk/bulk-call.ts";
import { idempotently, type Run } from "../../../shared/http/idempotent-call.ts";
import { storeEach } from "../../../shared/store/bulk/bulk.ts";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import {
  exists,
  insertOf,
  type PlannedWrites,
  Stale,
  storedTogether,
} from "../../../shared/store/dynamodb/writes.ts";
import { storeOnce } from "../../../shared/store/idempotency.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { eventOf } from "../samples.ts";

/** It knows no table, so asking it anything is an error other than a Problem. */
const db = connect({}, { region: "eu-west-1" });

const call = (key?: string) => ({
  db,
  endpoint,
  event: eventOf({ headers: key === undefined ? {} : { "idempotency-key": key } }),
  actor: "account:100",
  shape: (answer: object) => answer,
});

describe("a call without an Idempotency-Key", () => {
  test("just runs, each time again", async () => {
    let runs = 0;
    const run = async () => ({ run: ++runs });

    const answers = [await idempotently(call(), run), await idempotently(call(), run)];

    expect(answers.map(({ body }) => body)).toEqual(['{"run":1}', '{"run":2}']);
    expect(answers[1]?.headers).not.toHaveProperty("idempotent-replayed");
  });

  test("has no receipts, so its answer is shaped for none", async () => {
    let shaped = 0;
    const shape = (answer: object) => {
      shaped += 1;
      return answer;
    };

    const answer = idempotently({ ...call(), shape }, async (idempotency) => {
      expect([...idempotency.recordReceipt(0, {}), ...idempotency.callReceipt({ data: [] })]).toEqual([]);
      return storeOnce({ db, idempotency }, [], { stored: true });
    });

    await expect(answer).resolves.toMatchObject({ statusCode: 200, body: '{"stored":true}' });
    expect(shaped).toBe(0);
  });
});

describe("an Idempotency-Key", () => {
  test.each(["", "x".repeat(256)])("of a wrong length is refused and nothing runs", async (key) => {
    let runs = 0;

    const refused = idempotently(call(key), async () => ({ run: ++runs }));

    await expect(refused).rejects.toMatchObject({
      kind: "invalid",
      message: "The Idempotency-Key must have 1 to 255 characters",
    });
    expect(runs).toBe(0);
  });

  test.each(["x", "x".repeat(255)])("of any other length keeps the call from running twice", async (key) => {
    const { db } = faultyStore();
    let runs = 0;
    const send = () => idempotently({ ...call(key), db }, async () => ({ run: ++runs }));

    const [first, again] = [await send(), await send()];

    expect(again.body).toBe(first.body);
    expect(runs).toBe(1);
  });
});

test("an answer that is too large is not kept, so a retry runs the call again", async () => {
  const { db } = faultyStore();
  const send = () =>
    idempotently({ ...call("large"), db }, async () => ({ random: randomBytes(400_000).toString("base64") }));

  const [first, again] = [await send(), await send()];

  expect(again.body).not.toBe(first.body);
  expect(again.headers).not.toHaveProperty("idempotent-replayed");
});

test.each([
  ["locked for", async () => undefined],
  ["taken over by", (run: () => Promise<unknown>) => expect(run()).rejects.toThrow("broken")],
])("a key is %s its own call although the answer to the lock was lost", async (_case, before) => {
  const { store, db } = faultyStore();
  await before(() =>
    idempotently({ ...call("lost"), db }, async () => {
      throw new Error("broken");
    }),
  );
  let resent = 0;
  const sendTwice: typeof store.fault = (command, input) => {
    if (command !== "PutItem") return undefined;
    store.fault = () => undefined;
    try {
      // What was sent first is stored; its sender sends it again.
      store.call("PutItem", JSON.parse(input));
      resent += 1;
    } catch {
      store.fault = sendTwice;
    }
    return undefined;
  };
  store.fault = sendTwice;

  const answer = await idempotently({ ...call("lost"), db }, async () => ({ run: 1 }));

  expect(answer).toMatchObject({ statusCode: 200, body: '{"run":1}' });
  expect(resent).toBe(1);
});

test("an answer is kept for a key although another transaction touches the key meanwhile", async () => {
  const { store, db } = faultyStore();
  const conflict = new TransactionConflictException({ message: "conflict", $metadata: {} });
  let runs = 0;
  const send = () => idempotently({ ...call("one"), db }, async () => ({ run: ++runs }));
  store.fault = (command, input) => {
    if (command !== "UpdateItem" || !input.includes('"done"')) return undefined;
    store.fault = () => undefined;
    return conflict;
  };

  const [first, again] = [await send(), await send()];

  expect(again).toMatchObject({ statusCode: 200, body: first.body });
  expect(runs).toBe(1);
});

test("an answer is kept for a key although a receipt that was made for the call could not be stored", async () => {
  const { db } = faultyStore();
  const key = { pk: "missing", sk: "-" };
  const change = { kind: "change", table: "inventory", key, set: { changed: true }, when: [exists] } as const;
  let runs = 0;
  const send = () =>
    idempotently({ ...call("lost race"), db }, async (idempotency) => {
      const lost = storeOnce({ db, idempotency }, [change], { run: 0 });
      await expect(lost).rejects.toThrow(Stale);
      return { run: ++runs };
    });

  const [first, again] = [await send(), await send()];

  expect([first.body, again.body]).toEqual(['{"run":1}', '{"run":1}']);
});

test("a failure in the middle of a bulk call with a key leaves the rest to a retry, and its cause is known", async () => {
  const { store, db } = faultyStore();
  /** Writes of which no transaction holds two records. */
  const writesOf = (name: string): PlannedWrites =>
    storedTogether(
      Array.from({ length: 60 }, (_, part) =>
        insertOf({ table: "orders", key: { pk: name, sk: `${part}` } }, {}),
      ),
    );
  const run: Run = (idempotency) =>
    bulkCall(
      { idempotency, ifMatch: undefined },
      placed(["a", "b"]),
      z.object({ name: z.string() }),
      (names, own) =>
        storeEach(
          db,
          valuesOf(names),
          (some) => some.map((name) => ({ result: { name }, writes: writesOf(name) })),
          own,
        ),
    );
  const send = () => idempotently({ ...call("bulk"), db }, run);
  const broken = new Error("broken");
  store.fault = (_, input) => (input.includes('"pk":{"S":"b"}') ? broken : undefined);

  const first = await send().catch((error: unknown) => error);
  store.fault = () => undefined;
  const [retried, again] = [await send(), await send()];

  expect(first).toMatchObject({
    kind: "invalid",
    details: { data: [{ success: true }, { success: false }] },
    cause: broken,
  });
  expect(retried).toMatchObject({ statusCode: 200, body: '{"data":[{"name":"a"},{"name":"b"}]}' });
  expect(again.body).toBe(retried.body);
});
