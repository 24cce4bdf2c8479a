/**
 * `npm run bench:verify [-- --orders 100000]`: the memory that `operator data verify` needs, beside that of a
 * command that reads almost nothing. The orders are created by the service's own flows in the store in
 * memory, and copied to DynamoDB Local. Each command has a process of its own. It needs Linux, which says how
 * much memory a process had.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { BatchWriteItemCommand, CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { endpoint as createProducts } from "../../functions/oms/inventory/products/create-products.ts";
import { endpoint as createOrders } from "../../functions/oms/orders/create-orders.ts";
import { fillAccount } from "../../infra/demo/load.ts";
import { setUpAccounts, setUpWarehouse } from "../../infra/demo/registry.ts";
import { startDatabase } from "../../infra/local/index.ts";
import { forEachConcurrently } from "../../shared/common/concurrency.ts";
import { layouts } from "../../shared/lambda/data-layouts.ts";
import { laterIndexes } from "../../shared/schema/later-indexes.ts";
import { recordDeployment } from "../../shared/schema/record-deployment.ts";
import { connect } from "../../shared/store/dynamodb/database.ts";
import { acceptedBy } from "../../shared/store/layouts/deployment.ts";
import { type IndexSchema, type TableName, tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { MemoryStore } from "../simulation/store/store.ts";
import { newConnection, useStore } from "../simulation/world/connection.ts";
import { create } from "../support/records/flows.ts";
import { orderOf, productOf, unique } from "../support/records/records.ts";

const { values } = parseArgs({ options: { orders: { type: "string", default: "100000" } } });
const count = Number(values.orders);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Records that a call creates. */
const together = 100;

const products = 1_000;

/** Creates products, and orders of a unit of each of two products. */
async function ordered(): Promise<MemoryStore> {
  const store = new MemoryStore();
  useStore(store);
  const db = newConnection();
  await setUpWarehouse(db);
  await setUpAccounts(db);
  await fillAccount(db, 100);
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

const tables = Object.fromEntries(tableNames.map((name) => [tableSchemas[name].variable, name]));

async function createTable(client: DynamoDBClient, table: TableName): Promise<void> {
  const indexes = Object.entries(tableSchemas[table].indexes);
  const keys = ["pk", "sk", ...indexes.flatMap(([, { partitionKey, sortKey }]) => [partitionKey, sortKey])];
  const ofScope = (scope: IndexSchema["scope"]) => {
    const some = indexes.filter(([, index]) => index.scope === scope);
    return some.length === 0 ? undefined : some.map(([name, index]) => indexOf(name, index));
  };
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keySchema("pk", "sk"),
      AttributeDefinitions: [...new Set(keys)].map((name) => ({
        AttributeName: name,
        AttributeType: "S" as const,
      })),
      LocalSecondaryIndexes: ofScope("local"),
      GlobalSecondaryIndexes: ofScope("global"),
    }),
  );
}

const keySchema = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: "HASH" as const },
  { AttributeName: sort, KeyType: "RANGE" as const },
];

const indexOf = (IndexName: string, { partitionKey, sortKey, include }: IndexSchema) => ({
  IndexName,
  KeySchema: keySchema(partitionKey, sortKey),
  Projection:
    include.length === 0
      ? { ProjectionType: "KEYS_ONLY" as const }
      : { ProjectionType: "INCLUDE" as const, NonKeyAttributes: [...include] },
});

/** Copies all items. @returns how many there are */
async function copied(store: MemoryStore, endpoint: string): Promise<number> {
  const client = new DynamoDBClient({ ...config, endpoint });
  for (const table of tableNames) await createTable(client, table);
  const db = connect(tables, { ...config, endpoint });
  const indexes = laterIndexes.map(({ name }) => name);
  await recordDeployment(db, { release: "benched", indexes, ...acceptedBy(layouts) });
  let items = 0;
  for (const table of tableNames) {
    const { all } = store.table(table);
    items += all.length;
    const starts = Array.from({ length: Math.ceil(all.length / 25) }, (_, batch) => 25 * batch);
    await forEachConcurrently(starts, async (start) => {
      const requests = all.slice(start, start + 25).map((Item) => ({ PutRequest: { Item: { ...Item } } }));
      const { UnprocessedItems = {} } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: requests } }),
      );
      if (Object.keys(UnprocessedItems).length > 0) throw new Error("DynamoDB did not take all items");
    });
  }
  client.destroy();
  return items;
}

interface Memory {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMb: number;
  readonly heapMb: number;
}

/** Runs an operator's command, and has it tell its memory at the end. */
async function measured(endpoint: string, ...words: readonly string[]): Promise<Memory> {
  const report = new URL("verify/report-memory.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", report, "infra/operator/main.ts", ...words], {
    env: {
      ...process.env,
      ...tables,
      AWS_REGION: config.region,
      AWS_ACCESS_KEY_ID: config.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: config.credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    let told: Memory | undefined;
    child.on("message", (memory: Memory) => {
      told = memory;
    });
    child.on("close", (code) =>
      told === undefined || code !== 0
        ? reject(new Error(`${words.join(" ")} ended with ${code}`))
        : resolve(told),
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
