/**
 * `npm run bench:verify [-- --orders 100000]`: the memory that `operator data verify` needs, beside that of a
 * command that reads almost nothing. The orders are created by the service's own flows in the store in
 * memory, and copied to DynamoDB Local. Each command has a process of its own. It needs Linux, which reports
 * how much memory a process had.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { endpoint as createProducts } from "../../functions/oms/inventory/products/create-products.ts";
import { endpoint as createOrders } from "../../functions/oms/orders/create-orders.ts";
import { laterIndexes } from "../../infra/data-model/later-indexes.ts";
import { recordDeployment } from "../../infra/data-model/record-deployment.ts";
import { startDatabase } from "../../infra/local/index.ts";
import { layouts } from "../../shared/runtime/data-layouts.ts";
import { connect } from "../../shared/store/dynamodb/database.ts";
import { acceptedBy } from "../../shared/store/layouts/deployment.ts";
import { tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { filledStore } from "../simulation/demo-store.ts";
import type { MemoryStore } from "../simulation/store/store.ts";
import { variables } from "../simulation/world/connection.ts";
import { create } from "../support/records/flows.ts";
import { orderOf, productOf, unique } from "../support/records/records.ts";
import { createTable } from "../support/tables/create-table.ts";
import { putAll } from "../support/tables/put-all.ts";

const { values } = parseArgs({ options: { orders: { type: "string", default: "100000" } } });
const count = Number(values.orders);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Records of one call. */
const together = 100;

const products = 1_000;

/** Creates products, and orders of a unit of each of two products. */
async function ordered(): Promise<MemoryStore> {
  const { store, db } = await filledStore();
  const owner = { db, accountId: 100 };
  const skus = Array.from({ length: products }, () => unique("SKU"));
  for (let first = 0; first < products; first += together) {
    const data = skus.slice(first, first + together).map((sku) => productOf({ sku }));
    await create(owner, createProducts, ...data);
  }
  for (let first = 0; first < count; first += together) {
    const data = Array.from({ length: together }, (_, at) =>
      orderOf([0, 1].map((line) => ({ sku: skus[(first + 7 * at + line) % products] ?? "", quantity: 1 }))),
    );
    await create(owner, createOrders, ...data);
    // Nothing follows the changes here.
    store.changes.length = 0;
  }
  return store;
}

const config = { region: "us-east-1", credentials: { accessKeyId: "bench", secretAccessKey: "bench" } };

/** Copies all items. @returns how many there are */
async function copied(store: MemoryStore, endpoint: string): Promise<number> {
  const db = connect(variables, { ...config, endpoint });
  for (const table of tableNames) await createTable(db, table, tableSchemas[table]);
  const indexes = laterIndexes.map(({ name }) => name);
  await recordDeployment(db, { release: "benched", indexes, ...acceptedBy(layouts) });
  let items = 0;
  for (const table of tableNames) {
    const { all } = store.table(table);
    items += all.length;
    await putAll(
      db,
      table,
      all.map((item) => unmarshall(item)),
    );
  }
  db.client.destroy();
  return items;
}

interface Memory {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMb: number;
  readonly heapMb: number;
}

/** Runs an operator's command. @returns what its process reports at its end */
async function measured(endpoint: string, ...words: readonly string[]): Promise<Memory> {
  const report = new URL("verify/report-memory.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", report, "infra/operator/main.ts", ...words], {
    env: {
      ...process.env,
      ...variables,
      AWS_REGION: config.region,
      AWS_ACCESS_KEY_ID: config.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: config.credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    let reported: Memory | undefined;
    child.on("message", (memory: Memory) => {
      reported = memory;
    });
    child.on("close", (code) =>
      reported === undefined || code !== 0
        ? reject(new Error(`${words.join(" ")} ended with ${code}`))
        : resolve(reported),
    );
  });
}

const database = await startDatabase({ longLived: true });
try {
  const items = await copied(await ordered(), database.endpoint);
  print(`${count} orders, ${items} items`);
  const commands = [
    ["accounts", "list"],
    ["data", "verify"],
  ];
  const lines = [
    "| command | seconds | of a processor | peak, MB | most of the heap in use, MB |",
    "| --- | --- | --- | --- | --- |",
  ];
  for (const words of commands) {
    const { seconds, processorSeconds, peakMb, heapMb } = await measured(database.endpoint, ...words);
    lines.push(`| ${words.join(" ")} | ${seconds} | ${processorSeconds} | ${peakMb} | ${heapMb} |`);
  }
  print(lines.join("\n"));
} finally {
  await database.stop();
}
