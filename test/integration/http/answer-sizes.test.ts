/** What bounds an answer (docs/decisions.md, Sizes of answers). */
import { expect, test } from "vitest";
import { at, listAt } from "../../support/http/client.ts";
import { productOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const empty = (count: number): object[] => Array.from({ length: count }, () => ({}));

test("a call that is wrong in very many places lists 100 of them in at most 64 KB", async () => {
  const data = empty(100).map(() => ({ items: empty(500) }));

  const { status, body } = await service.oms.post("/orders", { data });

  expect(status).toBe(400);
  expect(listAt(body, "response.errors")).toHaveLength(100);
  expect(at(body, "response.errors_total")).toBe(100_300);
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(65_536);
});

test("a call with very many unknown fields is warned of 100 of them", async () => {
  const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, number) => [`x${number}`, 1]));

  const { status, body } = await service.oms.post("/inventory/products", { data: [productOf(unknown)] });

  expect(status).toBe(200);
  expect(listAt(body, "warnings")).toHaveLength(100);
  expect(at(body, "warnings_total")).toBe(50_000);
});
