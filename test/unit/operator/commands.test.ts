import { describe, expect, test } from "vitest";
import type { CommandGroup } from "../../../infra/operator/command.ts";
import { limitCommands } from "../../../infra/operator/limits.ts";
import { listCommands } from "../../../infra/operator/lists.ts";
import { manufactureCommands } from "../../../infra/operator/manufacture.ts";
import { orderCommands } from "../../../infra/operator/orders.ts";
import { pastCommands } from "../../../infra/operator/past.ts";
import { connect } from "../../../shared/store/database.ts";

/** Runs a command where there is no table: it must refuse its values before it looks anywhere. */
async function run({ commands }: CommandGroup, name: string, values: readonly string[]): Promise<string> {
  const command = commands[name];
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return command(connect({}), values, () => undefined);
}

describe("an operator's command on an order", () => {
  test.each<[string, readonly string[], string]>([
    ["release-order", [], "ORDER_ID is missing"],
    ["release-order", ["DEMO-1"], "ORDER_ID must be a whole number of at least 1"],
    ["ship-order", [""], "ORDER_ID is missing"],
    ["ship-order", ["0"], "ORDER_ID must be a whole number of at least 1"],
    ["ship-order", ["1000", "x".repeat(101)], "TRACKING must be at most 100 characters"],
    ["ship-order", ["1000", "", "x".repeat(101)], "CARRIER must be at most 100 characters"],
  ])("is refused where its values are wrong: %s %j", async (name, values, message) => {
    await expect(run(orderCommands, name, values)).rejects.toThrow(message);
  });
});

describe("an operator's manufacture order", () => {
  test.each<[readonly string[], string]>([
    [[], "ACCOUNT is missing"],
    [["x", "M", "TEE", "1"], "ACCOUNT must be a whole number of at least 1"],
    [["100"], "NUMBER is missing"],
    [["100", "M".repeat(101), "TEE", "1"], "NUMBER must be at most 100 characters"],
    [["100", "M", "", "1"], "SKU is missing"],
    [["100", "M", "T".repeat(101), "1"], "SKU must be at most 100 characters"],
    [["100", "M", "TEE"], "QUANTITY is missing"],
    [["100", "M", "TEE", "0"], "QUANTITY must be a whole number of at least 1"],
    [["100", "M", "TEE", "1.5"], "QUANTITY must be a whole number of at least 1"],
    [["100", "M", "TEE", "1000000001"], "QUANTITY must be a whole number from 1 to 1000000000"],
    [["100", "M", "TEE", "1", "pending"], "STATUS must be one of Pending, Processing, Completed, Cancelled"],
    [["100", "M", "TEE", "1", "Pending", "2026-02-30"], "DUE_DATE must be a date such as 2026-01-31"],
  ])("is refused where its values are wrong: %j", async (values, message) => {
    await expect(run(manufactureCommands, "manufacture-order", values)).rejects.toThrow(message);
  });
});

describe("an operator's limit of requests", () => {
  test.each<[readonly string[], string]>([
    [[], "ACCOUNT is missing"],
    [["x", "10", "20"], "ACCOUNT must be a whole number of at least 1"],
    [["100"], "PER_SECOND is missing"],
    [["100", "on"], "PER_SECOND must be a whole number of at least 1"],
    [["100", "501", "20"], "PER_SECOND must be at most 500"],
    [["100", "10"], "BURST is missing"],
    [["100", "10", "10001"], "BURST must be at most 10000"],
  ])("is refused where its values are wrong: %j", async (values, message) => {
    await expect(run(limitCommands, "limit-requests", values)).rejects.toThrow(message);
  });
});

describe("an operator's rebuild of a list", () => {
  test.each<[readonly string[], string]>([
    [[], "NAME is missing"],
    [
      ["orders"],
      "NAME must be one of order, product, stock, bin-content, alias, synset, replenishment, return, manufacture, attribute",
    ],
  ])("is refused where no list has the name: %j", async (values, message) => {
    await expect(run(listCommands, "rebuild-list", values)).rejects.toThrow(message);
  });
});

describe("an operator's export or drop of the past", () => {
  test.each<[string, readonly string[], string]>([
    ["export-history", [], "BEFORE is missing"],
    ["export-history", ["2020-02-30", "past.jsonl"], "BEFORE must be a date such as 2024-01-31"],
    ["export-history", ["2020-01-01"], "FILE is missing"],
    ["drop-history", [""], "BEFORE is missing"],
    ["drop-history", ["2020"], "BEFORE must be a date such as 2024-01-31"],
    ["drop-history", ["9999-01-01"], "BEFORE must lie two years back or more"],
  ])("is refused where its values are wrong: %s %j", async (name, values, message) => {
    await expect(run(pastCommands, name, values)).rejects.toThrow(message);
  });
});
