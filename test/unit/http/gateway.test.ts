import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gateway } from "../../../shared/http/http-handler.ts";
import { json } from "../../../shared/http/responses.ts";
import { Busy } from "../../../shared/store/dynamodb/retry.ts";
import { at } from "../../support/http/client.ts";
import { context, eventOf } from "../samples.ts";

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((line) => written.push(String(line)) > 0);
});
afterEach(() => void vi.restoreAllMocks());

async function metricsOf(answer: Parameters<typeof gateway>[0]): Promise<unknown> {
  await gateway(answer)(eventOf(), context);
  const lines = written.map((line): unknown => JSON.parse(line));
  return lines.find((line) => at(line, "_aws") !== undefined);
}

test.each([
  [new Error("x"), { level: "ERROR", message: "unexpected error" }],
  [new Busy(new Error("throttled")), { level: "WARN", message: "busy" }],
])("what a call fails for is logged: %s", async (error, line) => {
  await gateway(() => Promise.reject(error))(eventOf(), context);

  expect(written.map((text): unknown => JSON.parse(text))).toContainEqual(expect.objectContaining(line));
});

test.each([
  ["a success", async () => json(200, {}), { requests: 1, client_errors: 0, server_errors: 0 }],
  ["a client's error", async () => json(404, {}), { requests: 1, client_errors: 1, server_errors: 0 }],
  [
    "an answer that failed",
    async () => Promise.reject(new Error("x")),
    { requests: 1, client_errors: 0, server_errors: 1 },
  ],
])("%s is counted once, for all routes together", async (_, answer, counts) => {
  const metrics = await metricsOf(answer);

  expect(metrics).toMatchObject({ ...counts, latency: expect.any(Number) });
  expect(at(metrics, "_aws.CloudWatchMetrics")).toMatchObject([
    { Dimensions: [["service", "route"]], Metrics: [{ Name: "latency" }] },
    { Dimensions: [["service"]], Metrics: [{}, {}, {}] },
  ]);
});
