/**
 * `npm run bench:lists [-- ORDERS]` (1000,100000 without ORDERS): what a page of orders costs at the beginning and at the end of a long list, in
 * calls and read units, which do not depend on the machine. Exits with 1 where a goal is missed.
 */
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { connectTo, loadDemoData } from "../../infra/local/demo-data.ts";
import { startRuntime } from "../../infra/local/runtime.ts";
import { synthesize } from "../../infra/local/synthesize.ts";
import { allocate } from "../../shared/data/allocate.ts";
import type { Database } from "../../shared/data/database.ts";
import { orderList } from "../../shared/data/lists.ts";
import { insertOrder, newOrderApi } from "../../shared/data/orders.ts";
import { transact } from "../../shared/data/transact.ts";
import type { Count } from "../../shared/data/writes.ts";
import { type Order, type OrderStatus, orderStatuses, placed } from "../../shared/domain/order.ts";
import { customer } from "../support/records.ts";

const account_id = 101;
const sizes = (process.argv[2] ?? "1000,100000").split(",").map(Number);
if (!sizes.every((size) => Number.isInteger(size) && size > 0))
  throw new Error("ORDERS is a list such as 1000,100000");

/** Old orders are shipped or cancelled, as in life; every thirtieth is still open. */
function statusOf(position: number): OrderStatus {
  if (position % 30 === 0) return "Pending";
  return orderStatuses[2 + (position % 7 === 0 ? 1 : 0)] ?? "Shipped";
}

function orderAt(order_id: number, position: number, at: string): Order {
  const terms = {
    order_number: `BENCH-${position}`,
    order_reference: null,
    shipping_method: "GROUND",
    order_type_id: 1 + (position % 2),
    store: { id: 3, name: "Second Shop" },
    warehouse_id: 1,
    customer: { ...customer, lastname: "Bench", email: "bench@example.com", phone: null },
    items: Array.from({ length: 3 }, (_, line) => ({
      sku: `SKU-${line}`,
      ordered_as: `SKU-${line}`,
      product_id: 1000 + line,
      distribution_center_id: 1,
      quantity: 1 + line,
      sold_price: 9.99,
      returned: 0,
    })),
    kits: [],
  };
  const order_api = newOrderApi(order_id);
  return {
    ...placed(terms, { account_id, order_id, order_api, by: "bench", at }),
    status: statusOf(position),
  };
}

/** Stores orders as the service does, but in batches and with one tally update for each block. */
async function seed(db: Database, from: number, to: number): Promise<void> {
  const { blockSize } = orderList;
  for (let start = from; start < to; start += blockSize) {
    const size = Math.min(blockSize, to - start);
    const clock = () => Date.UTC(2025, 0, 1) + start * 60_000;
    const { firstId, at } = await allocate(db, orderList, String(account_id), size, clock);
    const writes = Array.from({ length: size }, (_, index) => {
      const order = orderAt(firstId + index, start + index, at);
      return insertOrder(order, "bench");
    }).flat();
    const items = writes.flatMap((write) => (write.kind === "insert" ? [write.item] : []));
    const batches: Promise<unknown>[] = [];
    for (let first = 0; first < items.length; first += 25) {
      const requests = items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } }));
      const RequestItems = { [db.tableName("orders")]: requests };
      batches.push(db.client.send(new BatchWriteCommand({ RequestItems })));
    }
    await Promise.all(batches);
    await transact(
      db,
      writes.filter((write): write is Count => write.kind === "count"),
    );
  }
}

const runtime = await startRuntime({ assembly: await synthesize(), paused: true });
runtime.recordCapacity(true);
// Calls side by side overlap for certain.
runtime.addLatency(20);
const db = connectTo(runtime);
await loadDemoData(runtime);
const headers = { AccountID: String(account_id), Key: `demo-oms-key-${account_id}` };

interface Cost {
  readonly calls: number;
  readonly chain: number;
  readonly units: number;
  readonly total: number;
}

async function measure(query: string): Promise<Cost> {
  const mark = runtime.mark();
  const response = await fetch(`${runtime.url}/apirest/v4/oms/orders?${query}`, { headers });
  if (response.status !== 200) throw new Error(`${query} answered ${response.status}`);
  const body: { metadata: { total_records: number } } = JSON.parse(await response.text());
  const { count, longestChain, readUnits } = runtime.summary(mark);
  return { calls: count, chain: longestChain, units: readUnits, total: body.metadata.total_records };
}

const lists = [
  { name: "unfiltered", filter: "", share: () => true },
  { name: "shipped", filter: "status_id=9&", share: (position: number) => statusOf(position) === "Shipped" },
  { name: "pending", filter: "status_id=1&", share: (position: number) => statusOf(position) === "Pending" },
];

let failed = false;
let seeded = 0;
process.stdout.write("orders   list        page   calls  one after another  read units  total\n");
for (const size of sizes) {
  await seed(db, seeded, size);
  seeded = size;
  for (const { name, filter, share } of lists) {
    const total = Array.from({ length: size }, (_, position) => share(position)).filter(Boolean).length;
    const last = Math.ceil(total / 20);
    const pages = [...new Set([1, Math.min(1000, last), last])];
    const costs: Cost[] = [];
    for (const page of pages) {
      const cost = await measure(`${filter}page=${page}`);
      costs.push(cost);
      const cells = [
        String(size).padEnd(9),
        name.padEnd(12),
        String(page).padStart(4),
        String(cost.calls).padStart(8),
        String(cost.chain).padStart(19),
        cost.units.toFixed(1).padStart(12),
        String(cost.total).padStart(7),
      ];
      process.stdout.write(`${cells.join("")}\n`);
    }
    const units = costs.map((cost) => cost.units);
    const flat =
      new Set(costs.map(({ chain }) => chain)).size === 1 && Math.max(...units) <= 2 * Math.min(...units);
    const exact = costs.every((cost) => cost.total === total);
    if (!flat || !exact) failed = true;
  }
}
process.stdout.write(failed ? "A goal is missed.\n" : "Flat within a factor of two, totals exact.\n");
await runtime.stop();
process.exit(failed ? 1 : 0);
