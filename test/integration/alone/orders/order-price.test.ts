/**
 * What a million orders cost on AWS: counted here, multiplied by prices, and compared with the table in the
 * operators' guide.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lifeOf, newKey, noKey } from "../../../support/business/order-life.ts";
import type { Answer } from "../../../support/http/client.ts";
import { signIn } from "../../../support/http/mobile.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

// One publisher at a time: of two that meet at the head of the feed, one would read and write again.
const service = await ownService({ streams: true, instancesPerFunction: 1 });
// The demo's orders are older than that of the test, and the first job of a kind leases a block of ids.
await lifeOf(service, { worker: await signIn(service), keyOf: noKey, limit: 50 }, () => undefined);
service.runtime.recordCapacity(true);

/** Dollars in us-east-1, in November 2026, for a million of each; logs and data sent for a GB. */
const prices = {
  writes: 0.625,
  reads: 0.125,
  requests: 1,
  invocations: 0.2,
  gbSeconds: 13.3334,
  queueRequests: 0.4,
  logs: 0.5,
  sent: 0.09,
};

/** A message is sent, received and deleted. Those that Lambda takes together cost less. */
const requestsOfMessage = 3;

/**
 * What a function is charged for at a time: 512 MB, for so many seconds. The benches find less than half of
 * it.
 */
const gbSecondsOfInvocation = 0.5 * 0.03;

/** Bytes of a line of the access log. Lambda itself tells of invocations that fail only. */
const accessLine = 350;

const publisher = "events/publish-events";
const totaller = "events/total-movements";

interface Counted {
  writes: number;
  reads: number;
  invocations: number;
  queueRequests: number;
  logs: number;
  sent: number;
}

const nothing = (): Counted => ({
  writes: 0,
  reads: 0,
  invocations: 0,
  queueRequests: 0,
  logs: 0,
  sent: 0,
});

/** Bytes of answers that leave AWS, uncompressed. */
const bytesOf = (answers: readonly Answer[]): number =>
  answers.reduce(
    (sum, { headers, body }) => sum + JSON.stringify([...headers]).length + JSON.stringify(body).length,
    0,
  );

/**
 * What a life took, apart for what calls and their jobs did, what events did, and what totals of movements
 * did.
 */
async function countedLife(keyOf: typeof noKey, orders = 1) {
  const { runtime } = service;
  const [own, events, totals] = [nothing(), nothing(), nothing()];
  const apart: Readonly<Record<string, Counted>> = { [publisher]: events, [totaller]: totals };
  const of = (name: string) => apart[name] ?? own;
  let lines = 0;
  const count = (mark: number, answers: readonly Answer[]): void => {
    const runs = new Map<string, string>();
    own.sent += bytesOf(answers);
    for (const { function: name, operation, charges } of runtime.calls(mark)) {
      if (operation.startsWith("SendMessage")) of(name).queueRequests += requestsOfMessage;
      for (const { kind, units } of charges) of(name)[kind === "read" ? "reads" : "writes"] += units;
    }
    const logs = runtime.logs();
    for (const { function: name, text } of logs.slice(lines)) {
      of(name).logs += text.length + 1;
      // Every run has a line, also one that asks no table anything.
      const [, run] = /"function_request_id":"([^"]+)"/.exec(text) ?? [];
      if (run !== undefined) runs.set(run, name);
    }
    for (const name of runs.values()) of(name).invocations += 1;
    own.logs += accessLine;
    lines = logs.length;
  };
  const worker = await signIn(service);
  const life = { worker, keyOf, limit: orders, orders, begin: () => (lines = runtime.logs().length) };
  const calls = await lifeOf(service, life, count);
  return { calls: calls.length, own, events, totals };
}

const dollars = (counted: Counted, requests: number): number =>
  counted.writes * prices.writes +
  counted.reads * prices.reads +
  requests * prices.requests +
  counted.queueRequests * prices.queueRequests +
  counted.invocations * (prices.invocations + gbSecondsOfInvocation * prices.gbSeconds) +
  (counted.logs / 1000) * prices.logs +
  (counted.sent / 1000) * prices.sent;

const guide = readFileSync(join(import.meta.dirname, "../../../../docs/operators/costs.md"), "utf8");

/** A row of the guide's table: what one of so many orders took. */
const row = (name: string, counted: Counted, requests: number, orders = 1): string => {
  const { writes, reads, invocations, queueRequests } = counted;
  const units = [requests, invocations, writes, reads, queueRequests].map((one) => Math.round(one / orders));
  const sizes = [counted.logs, counted.sent].map((bytes) => `${Math.round(bytes / orders / 1000)} KB`);
  return `| ${[name, ...units, ...sizes].join(" | ")} | $${Math.round(dollars(counted, requests) / orders)} |`;
};

const plain = await countedLife(noKey);

test("the guide's table says what a million orders cost, with and without an Idempotency-Key", async () => {
  const keyed = await countedLife(newKey);

  expect(plain.calls).toBe(7);
  expect(guide).toContain(row("calls and jobs", plain.own, plain.calls));
  expect(guide).toContain(row("the same, with an `Idempotency-Key` on every call", keyed.own, keyed.calls));
});

/** What the guide says in the row of this name: write units and dollars. */
function statedOf(name: string): { readonly writes: number; readonly dollars: number } {
  const cells = guide.split("\n").find((line) => line.startsWith(`| ${name} |`));
  const [, writes, stated] =
    /\| (\d+) \| \d+ \| \d+ \| \d+ KB \| \d+ KB \| \$(\d+) \|$/.exec(cells ?? "") ?? [];
  return { writes: Number(writes), dollars: Number(stated) };
}

test("the guide's table says what events of these orders cost", () => {
  expect(guide).toContain(row("events of these orders", plain.events, 0));
});

test("the guide's table says what events cost if those of ten orders are published together", async () => {
  const { events } = await countedLife(noKey, 10);

  expect(guide).toContain(row("events, with ten orders published together", events, 0, 10));
});

test("the guide's table says what the running totals of movements cost at most", () => {
  const { totals } = plain;
  const stated = statedOf("running totals of stock movements");

  expect([dollars(totals, 0), stated]).toSatisfy(() => dollars(totals, 0) <= stated.dollars + 0.5);
  expect(totals.writes).toBeLessThanOrEqual(stated.writes);
});

test.each([
  ["without idempotency keys", ["calls and jobs", "events of these orders"]],
  ["with idempotency keys", ["the same, with an `Idempotency-Key` on every call", "events of these orders"]],
  [
    "without idempotency keys, with ten orders published together",
    ["calls and jobs", "events, with ten orders published together"],
  ],
])("the guide's total %s adds up the table, running totals included", (name, parts) => {
  const [, total] = new RegExp(`^\\| ${name} \\| \\$(\\d+) \\|$`, "m").exec(guide) ?? [];

  const added = [...parts, "running totals of stock movements"].map((part) => statedOf(part).dollars);

  expect(Number(total)).toBe(added.reduce((sum, one) => sum + one));
});
