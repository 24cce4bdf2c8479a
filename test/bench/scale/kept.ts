/**
 * What is kept of an order: bytes and items of each kind after its life, how much of it an archive takes
 * away, and what two years of a million orders a month cost with it and without. Prints the tables of
 * docs/operators/costs.md.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { marshall } from "@aws-sdk/util-dynamodb";
import { kindOf } from "../../../infra/data-model/kinds.ts";
import { archiveOrders } from "../../../infra/operator/archive/archive-orders.ts";
import { archiveStore } from "../../../infra/operator/archive/archive-store.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { type TableName, tableNames, tableSchemas } from "../../../shared/store/tables.ts";
import { bytesOfItem } from "../../simulation/store/values.ts";
import { signIn } from "../../support/http/mobile.ts";
import { unique } from "../../support/records/records.ts";
import { itemsOf } from "../../support/store/scan.ts";
import { type Deployment, deployed } from "./deployment.ts";
import type { Part } from "./figures.ts";
import { live } from "./life.ts";

/** Bytes that DynamoDB adds to each item and each entry of an index for storage. */
const overhead = 100;

/** Dollars for a GB and month: storage with point-in-time recovery, and S3's storage. */
const [storagePrice, archivePrice] = [0.45, 0.023];
/** Dollars for a million units. */
const [readPrice, writePrice] = [0.125, 0.625];

const [months, monthsKept] = [24, 4];
const maxDollars = 3_000;

interface Kept {
  items: number;
  bytes: number;
}

/** The bytes of an item with its entries in indexes. */
function bytesOf(table: TableName, item: RawItem): number {
  const sizeOf = (some: RawItem) => bytesOfItem(marshall(some, { removeUndefinedValues: true })) + overhead;
  const entries = Object.values(tableSchemas[table].indexes).filter(
    ({ partitionKey, sortKey }) => partitionKey in item && sortKey in item,
  );
  const names = ["pk", "sk"];
  return entries.reduce((sum, { partitionKey, sortKey, include }) => {
    const copied = [...new Set([...names, partitionKey, sortKey, ...include])];
    return (
      sum + sizeOf(Object.fromEntries(copied.flatMap((name) => (name in item ? [[name, item[name]]] : []))))
    );
  }, sizeOf(item));
}

/** All that is stored, by table and kind. What expires is apart. */
async function stored(db: Database): Promise<ReadonlyMap<string, Kept>> {
  const kinds = new Map<string, Kept>();
  for (const table of tableNames)
    for (const item of await itemsOf(db, table)) {
      const { pk, sk, expires_at } = item;
      const kind = kindOf(table, { pk: String(pk), sk: String(sk) })?.name ?? "unknown";
      const name = `${table} | ${kind} | ${expires_at === undefined ? "kept" : "expires"}`;
      const { items, bytes } = kinds.get(name) ?? { items: 0, bytes: 0 };
      kinds.set(name, { items: items + 1, bytes: bytes + bytesOf(table, item) });
    }
  return kinds;
}

/** What came between two states, for each of so many orders. */
const since = (before: ReadonlyMap<string, Kept>, after: ReadonlyMap<string, Kept>) =>
  [...after].flatMap(([name, { items, bytes }]) => {
    const { items: earlier, bytes: smaller } = before.get(name) ?? { items: 0, bytes: 0 };
    return bytes === smaller ? [] : [{ name, items: items - earlier, bytes: bytes - smaller }];
  });

const sumOf = (parts: readonly { readonly name: string; readonly bytes: number }[], ends: string): number =>
  parts.filter(({ name }) => name.endsWith(ends)).reduce((sum, { bytes }) => sum + bytes, 0);

/** Archives all orders that ended. @returns the bytes of the file, and the units that it took */
async function archived({ db, accountId }: Deployment) {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  const file = join(folder, "orders.jsonl.gz");
  const units = { read: 0, written: 0 };
  db.client.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: "TOTAL" } });
      const { ConsumedCapacity = [] } = Object(answer.output);
      const isWrite = /Write|Put|Update|Delete/.test(String(context["commandName"]));
      for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat())
        units[isWrite ? "written" : "read"] += CapacityUnits;
      return answer;
    },
    { step: "initialize" },
  );
  try {
    const nothing = () => undefined;
    const [before, to] = ["2999-01-01", archiveStore(file)];
    const { removed } = await archiveOrders(db, {
      before,
      accountId,
      to,
      onRead: nothing,
      onRemoved: nothing,
    });
    return { removed, fileBytes: statSync(file).size, ...units };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Dollars of two years, and of their last month, if each month leaves so many GB. */
function twoYears(kept: number, recent: number) {
  const gbIn = (month: number) => month * kept + Math.min(month, monthsKept) * recent;
  const dollars = Array.from({ length: months }, (_, month) => gbIn(month + 1) * storagePrice);
  return { gb: gbIn(months), last: dollars.at(-1) ?? 0, sum: dollars.reduce((sum, one) => sum + one, 0) };
}

export const kept: Part = (print) =>
  deployed({ streams: true }, async (deployment) => {
    const { db } = deployment;
    const key = () => ({ "Idempotency-Key": unique("key") });
    // The first orders lease blocks, and the demo's orders are claimed first.
    const picker = await signIn(deployment);
    await live(deployment, picker, 50, key);
    await live(deployment, picker, 50, key);
    let before = await stored(db);
    await live(deployment, picker, 50, key, async () => {
      before = await stored(db);
    });
    const after = await stored(db);
    const life = since(before, after);
    print("| table | kind | lasts | items | bytes with indexes |\n| --- | --- | --- | --- | --- |");
    for (const { name, items, bytes } of life) print(`| ${name} | ${items} | ${bytes} |`);
    const { removed, fileBytes, read, written } = await archived(deployment);
    const gone = -sumOf(since(after, await stored(db)), "| kept") / removed;
    const [whole, expiring] = [sumOf(life, "| kept"), sumOf(life, "| expires")];
    // A million orders of so many bytes are so many GB.
    const [all, rest, packed] = [whole, whole - gone, fileBytes / removed].map((bytes) => bytes / 1000);
    if (all === undefined || rest === undefined || packed === undefined) throw new Error("nothing is kept");
    const [without, withArchive] = [twoYears(all, 0), twoYears(rest, all - rest)];
    const units = (read * readPrice + written * writePrice) / removed;
    const files = Array.from({ length: months }, (_, month) => Math.max(0, month + 1 - monthsKept) * packed);
    const filesCost = files.reduce((sum, gb) => sum + gb * archivePrice, 0);
    const archivings = (months - monthsKept) * units;
    print(
      [
        `kept ${whole}, expires ${expiring}, an archive removes ${gone.toFixed(0)}, its file ${(packed * 1000).toFixed(0)} bytes an order`,
        `archiving an order: ${(read / removed).toFixed(1)} read units, ${(written / removed).toFixed(1)} write units, $${units.toFixed(2)} a million`,
        `without: ${without.gb.toFixed(0)} GB, $${without.last.toFixed(0)} in the last month, $${without.sum.toFixed(0)} in two years`,
        `with: ${withArchive.gb.toFixed(0)} GB, $${withArchive.last.toFixed(0)} in the last month, $${withArchive.sum.toFixed(0)} in two years,`,
        `and $${archivings.toFixed(0)} for archiving, $${filesCost.toFixed(0)} for files of ${(files.at(-1) ?? 0).toFixed(0)} GB`,
      ].join("\n"),
    );
    return [
      {
        figure: "storage of 24 million orders in two years, without an archive",
        goal: `$${maxDollars}`,
        found: `$${without.sum.toFixed(0)}; with one $${(withArchive.sum + archivings + filesCost).toFixed(0)}`,
        held: without.sum <= maxDollars,
      },
    ];
  });
