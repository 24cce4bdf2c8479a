import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { secretLookup } from "../../../../shared/webhooks/secret-repository.ts";
import { lose } from "../../../support/damages/damage.ts";
import { faultyStore } from "../../../support/records/faulty-store.ts";
import { newWebhook } from "../../../support/records/webhooks.ts";
import { nowhere, runOperator } from "../../../support/store/operator.ts";

let db: Database;
const operator = async (...words: readonly string[]) =>
  (await runOperator([...words, "--yes"], { ...db, layouts: nowhere.layouts })).stdout;

beforeEach(async () => {
  ({ db } = faultyStore());
  await operator("accounts", "create", "100", "Demo");
  await newWebhook({ db, accountId: 100 });
});

test("the lag of webhooks is a record for each", async () => {
  const lag = await operator("events", "lag", "--json");

  expect(JSON.parse(lag)).toMatchObject([{ account_id: 100, webhooks: [{ webhook_id: 1, behind: 0 }] }]);
});

test("a webhook that has lost its secret is said to have none, and is in the backlog", async () => {
  const sound = [await operator("webhooks", "show", "1"), await operator("backlog")];
  await lose(db, secretLookup(1, 1));
  const lost = [await operator("webhooks", "show", "1"), await operator("backlog")];

  expect(sound).toEqual([
    expect.stringContaining('"has_secret": true'),
    expect.not.stringContaining("secret"),
  ]);
  expect(lost).toEqual([
    expect.stringContaining('"has_secret": false'),
    expect.stringContaining("webhooks without a secret, which send nothing"),
  ]);
});

test("a table of webhooks fits a wide terminal, and has all fields as JSON", async () => {
  const table = await operator("webhooks", "list");
  const [whole] = JSON.parse(await operator("webhooks", "list", "--json"));

  expect(Math.max(...table.split("\n").map(({ length }) => length))).toBeLessThan(130);
  expect(table).toContain("│ * ");
  expect(whole).toMatchObject({ webhook_id: 1, disabled_reason: null, version: 1 });
});
