/** What bounds an answer (docs/decisions.md, Sizes of answers). */
import { describe, expect, test } from "vitest";
import { at, listAt } from "../../support/http/client.ts";
import { orderOf, productOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const empty = (count: number): object[] => Array.from({ length: count }, () => ({}));

describe("a call that is wrong in very many places lists 100 of them in at most 64 KB", () => {
  const lines = empty(100).map(() => ({ items: empty(500) }));
  const serials = empty(100).map(() => ({ serials: Array.from({ length: 100 }, () => 1) }));

  test.each<[path: string, data: readonly object[], total: number]>([
    ["/orders", lines, 100_300],
    ["/serials/bulk", serials, 10_100],
  ])("POST %s", async (path, data, total) => {
    const { status, body } = await service.oms.post(path, { data });

    expect(status).toBe(400);
    expect(listAt(body, "response.errors")).toHaveLength(100);
    expect(at(body, "response.errors_total")).toBe(total);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(65_536);
  });

  test("if they are references to nothing, which an answer explains at length", async () => {
    const names = Array.from({ length: 500 }, (_, number) => ({ sku: `NO-${number}`, quantity: 1 }));
    const data = empty(20).map(() => orderOf(names, { shipping_method: "\u{1F4E6}".repeat(50) }));

    const { status, body } = await service.oms.post("/orders", { data });

    expect(status).toBe(400);
    expect(listAt(body, "response.errors").length).toBeLessThanOrEqual(100);
    expect(at(body, "response.errors_total")).toBe(20 * 501);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(65_536);
  });

  test("if they are the entries of a recount, whose answer repeats what was sent", async () => {
    const text = "\u0001".repeat(100);
    const bins = Array.from({ length: 100 }, () => ({ location: text, bin: text, qty: 1 }));

    const { status, body } = await service.wms.post("/recount", [
      { account_id: service.accountId, skus: [{ sku: text, bins }] },
    ]);

    expect(status).toBe(400);
    expect(listAt(body, "result")).toHaveLength(100);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(65_536);
  });
});

test("a call with very many unknown fields is warned of 100 of them", async () => {
  const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, number) => [`x${number}`, 1]));

  const { status, body } = await service.oms.post("/inventory/products", { data: [productOf(unknown)] });

  expect(status).toBe(200);
  expect(listAt(body, "warnings")).toHaveLength(100);
  expect(at(body, "warnings_total")).toBe(50_000);
});
