/**
 * What is wrong with a put-away by itself; some of it is sent over HTTP in `inbound/pro-put-away.test.ts`.
 */
import { describe, expect, test } from "vitest";
import { endpoint as load } from "../../../functions/v2/pro/put-away-load.ts";
import { endpoint as move } from "../../../functions/v2/pro/put-away-move.ts";
import type { RequestSchema } from "../../../shared/http/endpoint.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { problemOf } from "../samples.ts";

const rejectionOf = (request: RequestSchema, body: unknown) => {
  const { kind, message, details } = problemOf(() => parseRequest(request, { body }));
  expect(kind).toBe("invalid");
  return { message, path: details.errors?.[0]?.path };
};

const good = { sku: "DEMO-TEE", quantity: 1, location: "A1", bin: "01" };

describe("what to put away", () => {
  const wrongIds: readonly unknown[] = [0, -1, 1.5, "1", "x", true, [1], 1e300];

  test.each(
    wrongIds.flatMap((value) => [
      { name: "replenishment_id", value },
      { name: "return_id", value },
    ]),
  )("can't have the $name $value", ({ name, value }) => {
    for (const request of [load.request, move.request]) {
      expect(rejectionOf(request, { ...good, [name]: value }).message).toContain(`${name} must be`);
    }
  });
});

const longest = "must have at most 100 characters";

test.each<[field: string, value: unknown, message: string]>([
  ["sku", undefined, "is required"],
  ["sku", "", "is required"],
  ["sku", "x".repeat(101), longest],
  ["sku", 5, "must be a string"],
  ["sku", null, "is required"],
  ["sku", "\ud800", "must be well-formed text"],
  ["quantity", undefined, "is required"],
  ["quantity", 0, "must be at least 1"],
  ["quantity", -3, "must be at least 1"],
  ["quantity", 1.5, "must be a whole number"],
  ["quantity", "2", "must be a number"],
  ["quantity", null, "is required"],
  ["quantity", true, "must be a number"],
  ["quantity", 1_000_000_001, "must be at most 1000000000"],
  ["location", undefined, "is required"],
  ["location", "", "is required"],
  ["location", "x".repeat(101), longest],
  ["location", 1, "must be a string"],
  ["location", ["B1"], "must be a string"],
  ["bin", undefined, "is required"],
  ["bin", "", "is required"],
  ["bin", "x".repeat(101), longest],
  ["bin", 2, "must be a string"],
  ["lot", "x".repeat(101), longest],
  ["lot", 7, "must be a string"],
  ["expires_on", "soon", "must be a date such as 2026-01-31"],
  ["expires_on", "2026-02-30", "must be a date such as 2026-01-31"],
  ["expires_on", "2026-02-30T00:00:00Z", "must be a date such as 2026-01-31"],
  ["expires_on", 20_260_131, "must be"],
])("%s of a move can't be %j", (field, value, message) => {
  const { message: said, path } = rejectionOf(move.request, { replenishment_id: 1, ...good, [field]: value });

  expect(said).toContain(`${field} ${message}`);
  expect(path).toBe(field);
});
