import { describe, expect, test } from "vitest";
import { endpoint } from "../../../functions/oms/orders/create-orders.ts";
import { idempotently } from "../../../shared/http/idempotency.ts";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import { storeOnce } from "../../../shared/store/store-once.ts";
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
  test("just runs, each time anew", async () => {
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
      expect([...idempotency.receipt(0, {}), ...idempotency.callReceipt({ data: [] })]).toEqual([]);
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
});
