/** `operator --local tables`, `queues` and `backlog`: what is in them, and what the service makes of it. */
import { afterAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { noteRunning } from "../../../../infra/operator/cli/local-service.ts";
import { pendingOrder } from "../../../support/business/world.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { runOperator } from "../../../support/store/operator.ts";

const service = await ownService({ streams: true });
const forget = noteRunning(service.runtime);
afterAll(forget);

const answered = async (...words: readonly string[]): Promise<unknown> => {
  const place = ["--local", "--port", new URL(service.runtime.url).port, "--json"];
  const { status, stdout } = await runOperator([...place, ...words]);
  expect(status).toBe(0);
  return JSON.parse(stdout);
};

const rows = z.array(z.object({ table: z.string(), kind: z.string(), items: z.int() }));

test("tables are counted by kind", async () => {
  const countOrders = async (): Promise<number> =>
    rows.parse(await answered("tables")).find(({ kind }) => kind === "order")?.items ?? 0;
  const before = await countOrders();
  await pendingOrder(service, [{ sku: "DEMO-TEE", quantity: 1 }]);

  expect(await countOrders()).toBe(before + 1);
  const all = rows.parse(await answered("tables"));
  expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["account", "order", "product"]));
  expect(all.filter(({ kind }) => kind.startsWith("unknown"))).toEqual([]);
});

test("every kind of job has a queue, whose messages are counted", async () => {
  const counts = { waiting: expect.any(Number), in_flight: expect.any(Number), dead: 0 };

  expect(await answered("queues")).toEqual(
    expect.arrayContaining(["recount", "revert", "weight"].map((queue) => ({ queue, ...counts }))),
  );
});

test("a webhook whose receiver fails is in the backlog, since its first failure", async () => {
  await service.oms.post("/webhooks", { data: { url: "http://127.0.0.1:9/" } });
  await pendingOrder(service, [{ sku: "DEMO-TEE", quantity: 1 }]);

  await vi.waitFor(
    async () => {
      const { failing_since } = z
        .object({ failing_since: z.string() })
        .parse(await answered("webhooks", "show", "1"));
      expect(await answered("backlog")).toContainEqual({
        waits: "webhooks whose receiver fails",
        count: 1,
        oldest: failing_since,
        see: "webhooks deliveries",
      });
    },
    { timeout: 30_000, interval: 500 },
  );
}, 60_000);
