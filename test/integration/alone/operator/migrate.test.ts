/** Moving data to another layout, with a kind of item that tests alone have. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test, vi } from "vitest";
import { recordDeployment } from "../../../../infra/data-model/record-deployment.ts";
import { awsEnvironment } from "../../../../infra/local/index.ts";
import { migrate } from "../../../../infra/operator/migrate.ts";
import { type Finding, verify } from "../../../../infra/operator/verify/index.ts";
import {
  findProductIds,
  productLookup,
  productSkus,
} from "../../../../shared/catalog/products/product-repository.ts";
import { connect, type Database } from "../../../../shared/store/dynamodb/database.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { transact, untilFresh } from "../../../../shared/store/dynamodb/transact.ts";
import { acceptedBy, deploymentLookup } from "../../../../shared/store/layouts/deployment.ts";
import { newProduct } from "../../../support/business/world.ts";
import { damage, lose } from "../../../support/damages/damage.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { twoLayouts } from "../../../support/store/moved-kind.ts";
import { runOperator } from "../../../support/store/operator.ts";
import { itemsOf } from "../../../support/store/scan.ts";

const service = await ownService({ paused: true, goods: false });

/** A connection as an instance of the next release has one. */
function instance(): Database {
  const { tables, endpoint, accessKeyId } = service.runtime.dynamodb;
  const credentials = { accessKeyId, secretAccessKey: "local" };
  return connect(tables, { endpoint, region: awsEnvironment.region, credentials }, twoLayouts);
}

const crates = 100;
const keyOf = (crate: number) => ({ pk: `crate#${crate}`, sk: "-" });

/** Crates as this release stored them. An item takes 30 KB, so that the table takes several pages. */
async function storeCrates(): Promise<void> {
  const TableName = service.db.tableName("inventory");
  await Promise.all(
    Array.from({ length: crates }, (_, crate) =>
      service.db.client.send(
        new PutCommand({
          TableName,
          Item: { ...keyOf(crate), size: "10x20", version: 1, hits: 0, filling: "x".repeat(30_000) },
        }),
      ),
    ),
  );
}

/** Widens a crate by one, as a flow would, and counts it. */
const widen = (db: Database, crate: number): Promise<void> =>
  untilFresh(db, async () => {
    const item = await getItem(db, { table: "inventory", key: keyOf(crate) });
    const { width, height, version } = item ?? {};
    const set = { width: Number(width) + 1, height, layout: 2, version: Number(version) + 1 };
    const change = { kind: "change", table: "inventory", key: keyOf(crate) } as const;
    const when = [{ attribute: "version", equals: Number(version) }];
    await transact(db, [{ ...change, set, remove: ["size"], add: { hits: 1 }, when }]);
  });

test("data migrate has nothing to do if the data have the layout of the release", async () => {
  const { status, stdout } = await runOperator(["data", "migrate", "--yes"], service.connect());

  expect([status, stdout]).toEqual([0, "There is nothing to do: the data have layout 1.\n"]);
});

describe("data migrate, of products that release 1.0.0 stored", () => {
  const accountId = 100;
  const skus = ["CRATE-1", "CRATE-2"];
  const findings = async (): Promise<readonly Finding[]> => {
    const found: Finding[] = [];
    const report = (finding: Finding): void => void found.push(finding);
    await verify({ db: service.connect(), accountId: undefined, report, settleMs: 0 });
    return found;
  };
  /** The SKUs that an instance which has just started finds by prefix. */
  const search = () => findProductIds(service.connect(), accountId, [{ text: "CRATE-", begins: true }], 10);
  const tryMigrating = () => runOperator(["data", "migrate", "--dry-run"], service.connect());

  test("adds them to the index of SKUs, which is not searched or verified until then", async () => {
    const products = [];
    for (const sku of skus) products.push(await newProduct({ db: service.db, accountId }, { sku }));
    await lose(service.db, productSkus.lookup(accountId, "CRATE-1"));
    const set = { complete_indexes: [] };
    await transact(service.db, [{ kind: "change", ...deploymentLookup, set, when: [] }]);

    const refused = await search().catch((error: unknown) => error);
    const before = await findings();
    const tried = await tryMigrating();
    const notes: string[] = [];
    const note = (line: string): void => {
      // What a function of the previous release, which has not ended yet, stores last.
      if (notes.length === 0) storedLast = lose(service.db, productSkus.lookup(accountId, "CRATE-2"));
      notes.push(line);
    };
    let storedLast: Promise<void> | undefined;
    const migrated = await migrate({ db: service.connect(), settleMs: 1_000, note, onPage: () => undefined });
    await storedLast;

    expect(refused).toMatchObject({ message: expect.stringContaining("can't end in a * yet") });
    expect([before, await findings()]).toEqual([[], []]);
    expect(tried.stdout).toContain("Records added to lookup indexes: 1.");
    expect(notes).toEqual([
      "Functions of the previous release end within 1 s.",
      expect.stringContaining("Records are added to the index"),
    ]);
    expect(migrated.indexed).toBe(2);
    expect(await search()).toEqual([products.map(({ product_id }) => product_id)]);
  });

  test("leaves out a product that can't be read, and ends at any other error", async () => {
    const { product_id } = await newProduct({ db: service.db, accountId }, { sku: "UNREADABLE" });
    await damage(service.db, productLookup(product_id), {}, { product_id: "text" });
    await lose(service.db, productSkus.lookup(accountId, "CRATE-1"));
    const set = { complete_indexes: [] };
    await transact(service.db, [{ kind: "change", ...deploymentLookup, set, when: [] }]);
    const run = () => migrate({ db: service.connect(), settleMs: 0, note: ignore, onPage: ignore });

    const failing = vi.spyOn(productSkus, "insert").mockImplementation(() => {
      throw new TypeError("a fault of ours");
    });
    const failed = await run().catch((error: unknown) => error);
    const midway = await getItem(service.db, deploymentLookup);
    failing.mockRestore();
    const migrated = await run();

    expect(failed).toMatchObject({ message: "a fault of ours" });
    expect(midway).toMatchObject(set);
    expect(migrated.indexed).toBe(1);
  });
});

const ignore = (): void => undefined;

/** Stores a new crate, as a flow would. */
const add = (db: Database, crate: number): Promise<void> =>
  transact(db, [
    {
      kind: "insert",
      table: "inventory",
      item: { ...keyOf(crate), layout: 2, width: 10, height: 20, version: 1, hits: 0 },
    },
  ]);

test("a migration that is killed and resumed while clients write loses no write", async () => {
  await storeCrates();
  const writers = Array.from({ length: 3 }, instance);
  const widened = new Map<number, number>();
  // A client moves what it writes. The other crates are left to the migration, however fast clients are.
  const busyCrates = crates / 2;
  let added = 0;
  let isOver = false;
  const write = async (db: Database, seed: number): Promise<void> => {
    for (let turn = seed; !isOver; turn += 7) {
      await widen(db, turn % busyCrates);
      if (turn % 5 === 0) await add(db, crates + added++);
      widened.set(turn % busyCrates, (widened.get(turn % busyCrates) ?? 0) + 1);
    }
  };
  for (const db of writers) await db.layouts.check();
  const writing = Promise.all(writers.map(write));
  const db = instance();
  await recordDeployment(db, { release: "2.0.0", indexes: [], ...acceptedBy(twoLayouts) });
  const run = (pages: number) => {
    let left = pages;
    const onPage = (): void => {
      left -= 1;
      if (left < 0) throw new Error("killed");
    };
    return migrate({ db, settleMs: 200, note: () => undefined, onPage });
  };

  const killed = await run(1).catch((error: unknown) => error);
  const midway = await getItem(service.db, deploymentLookup);
  const done = await run(100);
  isOver = true;
  await writing;

  const items = (await itemsOf(db, "inventory")).filter(({ pk }) => String(pk).startsWith("crate#"));
  expect(killed).toMatchObject({ message: "killed" });
  expect(midway).toMatchObject({ data_layout: 1, writes_layout: 2, backfill: { table: "inventory" } });
  expect(done.moved).toBeGreaterThan(0);
  expect(await getItem(service.db, deploymentLookup)).toMatchObject({ data_layout: 2, writes_layout: 2 });
  expect(added).toBeGreaterThan(0);
  expect(items).toHaveLength(crates + added);
  for (const { pk, filling: _, ...item } of items) {
    const times = widened.get(Number(String(pk).slice("crate#".length))) ?? 0;
    expect({ pk, ...item }).toEqual({
      pk,
      sk: "-",
      layout: 2,
      width: 10 + times,
      height: 20,
      version: 1 + times,
      hits: times,
    });
  }
});

test("a stopped run resumes after its last page, and another run moves what is restored later", async () => {
  const again = { data_layout: 1 };
  const reset = { kind: "change", ...deploymentLookup, set: again, when: [] } as const;
  await transact(service.db, [reset]);
  await storeCrates();
  const db = instance();
  const seen: number[] = [];
  const stopAfter = (pages: number) =>
    migrate({
      db,
      settleMs: 0,
      note: () => undefined,
      onPage: (items) => {
        seen.push(items);
        if (seen.length === pages) throw new Error("stopped");
      },
    });
  await stopAfter(2).catch(() => undefined);
  const [first = 0] = seen;
  const all = (await itemsOf(db, "inventory")).length;

  const resumed = await stopAfter(1_000);
  await storeCrates();
  const restored = await stopAfter(1_000);

  expect(resumed.read).toBe(2 * all - first);
  expect(restored.moved).toBe(crates);
  expect((await itemsOf(db, "inventory")).filter((item) => "size" in item)).toEqual([]);
});

test("the data do not reach a layout while the deployed release writes the one before", async () => {
  const db = instance();
  const set = { data_layout: 1 };
  await transact(service.db, [{ kind: "change", ...deploymentLookup, set, when: [] }]);
  const before = acceptedBy({ ...twoLayouts, current: 1 });
  await recordDeployment(db, { release: "1.9.0", indexes: [], ...before });

  const migrated = migrate({ db, settleMs: 0, note: () => undefined, onPage: () => undefined });

  await expect(migrated).rejects.toThrow("changed meanwhile");
  expect(await getItem(service.db, deploymentLookup)).toMatchObject({ data_layout: 1, release: "1.9.0" });
});
