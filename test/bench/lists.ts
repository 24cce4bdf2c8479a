/**
 * `npm run bench:lists [-- RECORDS]`: what a page costs at the beginning and at the end of long lists, in
 * calls and read units, which do not depend on the machine. Exits with 1 where a goal is missed.
 *
 * RECORDS is 1000,40000 by default. DynamoDB Local takes more than twice as long to store 100,000.
 */

import { connectTo, loadDemoData } from "../../infra/demo/load.ts";
import { startRuntime } from "../../infra/local/index.ts";
import { synthesize } from "../../infra/synthesize.ts";
import { transact } from "../../shared/store/dynamodb/transact.ts";
import type { Count } from "../../shared/store/dynamodb/writes.ts";
import { allocate } from "../../shared/store/lists/allocate.ts";
import { putAll } from "../support/tables/put-all.ts";
import { aliases } from "./lists/aliases.ts";
import { accountId, type BenchedList } from "./lists/benched-list.ts";
import { orders } from "./lists/orders.ts";
import { products } from "./lists/products.ts";
import { replenishments } from "./lists/replenishments.ts";

const sizes = (process.argv[2] ?? "1000,40000").split(",").map(Number);
if (!sizes.every((size) => Number.isInteger(size) && size > 0))
  throw new Error("RECORDS is a list of counts such as 1000,40000");

const runtime = await startRuntime({ assembly: await synthesize(), paused: true });
runtime.recordCapacity(true);
// Calls side by side overlap for certain.
runtime.addLatency(20);
const db = connectTo(runtime);
await loadDemoData(runtime);
const headers = { AccountID: String(accountId), Key: `demo-oms-key-${accountId}` };

/** Stores records as the service does, but in batches and with one tally update for each block. */
async function fill({ list, writesAt }: BenchedList, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += list.blockSize) {
    const size = Math.min(list.blockSize, to - start);
    const clock = () => Date.UTC(2025, 0, 1) + start * 60_000;
    const { firstId, at } = await allocate(db, list, String(accountId), size, clock);
    const writes = Array.from({ length: size }, (_, index) =>
      writesAt(firstId + index, start + index, at),
    ).flat();
    // Items of other tables play no part in a list.
    const items = writes.flatMap((write) =>
      write.kind === "insert" && write.table === list.table ? [write.item] : [],
    );
    await putAll(db, list.table, items);
    await transact(
      db,
      writes.filter((write): write is Count => write.kind === "count"),
    );
  }
}

interface Cost {
  readonly calls: number;
  readonly chain: number;
  readonly units: number;
  readonly total: number;
}

async function measure(path: string): Promise<Cost> {
  const mark = runtime.mark();
  const response = await fetch(`${runtime.url}/apirest/v4/oms${path}`, { headers });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  const body: { metadata: { total_records: number } } = JSON.parse(await response.text());
  const { count, criticalPath, readUnits } = runtime.summary(mark);
  return { calls: count, chain: criticalPath, units: readUnits, total: body.metadata.total_records };
}

function print(cells: readonly [size: number, list: string, filter: string, page: number], cost: Cost): void {
  const [size, list, filter, page] = cells;
  const line = [
    String(size).padEnd(9),
    list.padEnd(16),
    filter.padEnd(12),
    String(page).padStart(4),
    String(cost.calls).padStart(8),
    String(cost.chain).padStart(19),
    cost.units.toFixed(1).padStart(12),
    String(cost.total).padStart(7),
  ];
  process.stdout.write(`${line.join("")}\n`);
}

/**
 * Pages through one list of `size` records; answers whether totals are exact and pages cost the same
 * anywhere.
 */
async function hold({ name, path, filters }: BenchedList, size: number): Promise<boolean> {
  let held = true;
  for (const { name: filter, query, matches } of filters) {
    const total = Array.from({ length: size }, (_, position) => matches(position)).filter(Boolean).length;
    const last = Math.ceil(total / 20);
    const costs: Cost[] = [];
    for (const page of new Set([1, Math.min(1000, last), last])) {
      const cost = await measure(`${path}?${query}page=${page}`);
      costs.push(cost);
      print([size, name, filter, page], cost);
    }
    const units = costs.map((cost) => cost.units);
    const sameCalls = new Set(costs.map(({ chain }) => chain)).size === 1;
    const exact = costs.every((cost) => cost.total === total);
    held &&= exact && sameCalls && Math.max(...units) <= 2 * Math.min(...units);
  }
  return held;
}

let held = true;
process.stdout.write(
  "records  list            filter      page   calls  one after another  read units  total\n",
);
for (const list of [orders, products, aliases, replenishments]) {
  let filled = 0;
  for (const size of sizes) {
    await fill(list, filled, size);
    filled = size;
    held = (await hold(list, size)) && held;
  }
}
process.stdout.write(held ? "Flat within a factor of two, totals exact.\n" : "A goal is missed.\n");
await runtime.stop();
process.exit(held ? 0 : 1);
