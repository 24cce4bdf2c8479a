import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { faultyStore } from "../../../support/records/faulty-store.ts";
import { nowhere, runOperator } from "../../../support/store/operator.ts";

let db: Database;
const operator = (...words: readonly string[]) =>
  runOperator([...words, "--yes"], { ...db, layouts: nowhere.layouts });

beforeEach(() => {
  ({ db } = faultyStore());
});

test("a bin that the warehouse does not have is not said to have held nothing", async () => {
  await operator("distribution-centers", "add", "1", "MAIN", "Main");
  await operator("bins", "add", "1", "A1", "01", "MAIN");

  const there = await operator("bins", "show", "A1", "01");
  const unknown = await operator("bins", "show", "a1", "01");

  expect([there.status, there.stdout]).toEqual([0, "The bin A1/01 has never held goods.\n"]);
  expect([unknown.status, unknown.stderr]).toEqual([1, "There is no bin a1/01\n"]);
});

test("an order named by its number needs --account, and the error says so", async () => {
  const { status, stderr } = await operator("orders", "show", "DEMO-1");

  expect([status, stderr]).toEqual([
    1,
    "There is no order with order_id DEMO-1. To find an order by its number, add --account\n",
  ]);
});

test("the scope of a key is stated as one of the key", async () => {
  await operator("accounts", "create", "100", "Demo");

  const { stdout } = await operator("keys", "scope", "100", "read");

  expect(stdout).toBe("Account 100 has a key that is read-only.\n");
});
