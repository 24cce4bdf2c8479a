/**
 * Pages of orders at the beginning, in the middle and at the end of accounts with up to 100 million orders.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod/mini";
import { putAccount } from "../../support/records/accounts.ts";
import { type Deployment, deployed } from "./deployment.ts";
import type { Figure, Part } from "./figures.ts";
import { type Account, blockSize, movesIn, type Shape, shapesOf } from "./lists/account.ts";
import { costsOf, keyOf, type PageCost } from "./lists/measure.ts";
import type { Memory, Task } from "./lists/memory.ts";
import { storeCounters } from "./lists/tree.ts";

/** How the orders of an account are spread, and the units that a page may take. */
interface Spread {
  readonly name: string;
  readonly shapes: readonly Shape[];
  readonly maxUnits: number;
}

const spreads: readonly Spread[] = [
  { name: "1 store", shapes: shapesOf(1, 1), maxUnits: 60 },
  { name: "20 stores, 10 types, 4 statuses", shapes: shapesOf(20, 10), maxUnits: 250 },
];

const sizes = [
  { size: "1,200", orders: 1_200 },
  { size: "1M", orders: 1_000_000 },
  { size: "100M", orders: 100_000_000 },
];

/** Old blocks that each have a shard that is not rolled up, besides the 17 of the current block. */
const oldShards = 200;

const [maxCalls, maxMegabytes, maxGrowth] = [6, 64, 2];

interface Measured {
  readonly size: string;
  readonly account: Account;
  readonly costs: readonly PageCost[];
  readonly memory: Memory;
}

const memory: z.ZodMiniType<Memory> = z.object({ heap: z.number(), rss: z.number() });

export const lists: Part = (print) =>
  deployed({ paused: true }, async (deployment) => {
    deployment.runtime.recordCapacity(true);
    // Calls side by side overlap for certain.
    deployment.runtime.addLatency(40);
    print(
      "orders  spread over                      filter                page    each   units  calls  in a row  exact",
    );
    const figures: Figure[] = [];
    for (const [position, spread] of spreads.entries()) {
      const measured: Measured[] = [];
      for (const [place, { size, orders }] of sizes.entries()) {
        const number = position * sizes.length + place;
        const { name, shapes } = spread;
        const blocks = Math.ceil(orders / blockSize);
        const account: Account = {
          name,
          accountId: 5000 + number,
          firstBlock: 1_000_000 * (number + 1),
          blocks,
          shapes,
          moved: movesIn(blocks, shapes, oldShards),
        };
        const found = await measure(deployment, account, (cost) => print(lineOf(size, name, cost)));
        print(
          `memory: ${found.memory.heap.toFixed(1)} MB of heap, ${found.memory.rss.toFixed(1)} MB at the peak`,
        );
        measured.push({ size, account, ...found });
      }
      figures.push(...figuresOf(spread, measured));
    }
    return figures;
  });

async function measure(
  deployment: Deployment,
  account: Account,
  note: (cost: PageCost) => void,
): Promise<Pick<Measured, "costs" | "memory">> {
  const { accountId } = account;
  const key = keyOf(accountId);
  await putAccount(deployment.db, {
    account_id: accountId,
    name: account.name,
    activated: true,
    key_scope: "read",
    key,
  });
  await storeCounters(deployment.db, account);
  const costs = await costsOf(deployment, account, note);
  return { costs, memory: await memoryOf(deployment, account, costs) };
}

/** The memory that the five dearest pages take. */
async function memoryOf(
  { runtime }: Deployment,
  { accountId }: Account,
  costs: readonly PageCost[],
): Promise<Memory> {
  const dearest = costs.toSorted((left, right) => right.units - left.units).slice(0, 5);
  const { endpoint, accessKeyId, tables } = runtime.dynamodb;
  const task: Task = { accountId, endpoint, accessKeyId, tables, queries: dearest.map(({ query }) => query) };
  const script = join(import.meta.dirname, "lists", "memory.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--expose-gc",
    script,
    JSON.stringify(task),
  ]);
  return z.parse(memory, JSON.parse(stdout));
}

const lineOf = (size: string, spread: string, cost: PageCost): string =>
  [
    size.padEnd(8),
    spread.padEnd(33),
    cost.filter.name.padEnd(22),
    cost.page.padEnd(8),
    String(cost.perPage).padStart(4),
    cost.units.toFixed(1).padStart(8),
    String(cost.calls).padStart(7),
    `${cost.own} (${cost.whole})`.padStart(10),
    cost.exact ? "  yes" : "  NO",
  ].join("");

const most = (numbers: readonly number[]): number => Math.max(...numbers);

function figuresOf({ name, maxUnits }: Spread, measured: readonly Measured[]): readonly Figure[] {
  const all = measured.flatMap(({ costs }) => costs);
  const sparse = ({ filter }: PageCost): boolean => filter.name === "the same, rare";
  const unitsOf = (chosen: (cost: PageCost) => boolean): readonly number[] =>
    measured.map(({ costs }) => most(costs.filter(chosen).map(({ units }) => units)));
  const [dense, rare] = [unitsOf((cost) => !sparse(cost)), unitsOf(sparse)];
  const inSizes = (numbers: readonly number[]): string => numbers.map((one) => one.toFixed(0)).join(" / ");
  const growth = growthOf(measured);
  const heap = most(measured.map(({ memory }) => memory.heap));
  const rss = most(measured.map(({ memory }) => memory.rss));
  const chainOf = (chosen: readonly PageCost[]): string =>
    `${most(chosen.map(({ own }) => own))} (${most(chosen.map(({ whole }) => whole))} with authentication)`;
  const about = `list page, 1,200 / 1M / 100M orders, ${name}:`;
  return [
    {
      figure: `${about} read units, dearest page`,
      goal: `${maxUnits}`,
      found: inSizes(dense),
      held: most(dense) <= maxUnits,
    },
    {
      figure: `${about} read units, dearest page of a filter that one order in 20,000 matches`,
      goal: `${maxUnits}`,
      found: inSizes(rare),
      held: most(rare) <= maxUnits,
    },
    {
      figure: `${about} sequential calls`,
      goal: `${maxCalls} of the list's own`,
      found: `${chainOf(all.filter((cost) => !sparse(cost)))}, of the rare filter ${chainOf(all.filter(sparse))}`,
      held: all.every(({ own }) => own <= maxCalls),
    },
    {
      figure: `${about} units at 100M by those at 1M, for the same page`,
      goal: `flat: ${maxGrowth}`,
      found: growth.toFixed(2),
      held: growth <= maxGrowth,
    },
    {
      figure: `${about} heap that a page adds`,
      goal: `${maxMegabytes} MB`,
      found: `${heap.toFixed(1)} MB; ${rss.toFixed(1)} MB of the process with garbage`,
      held: heap <= maxMegabytes,
    },
    {
      figure: `${about} totals and orders`,
      goal: "exact",
      found: `${all.filter(({ exact }) => exact).length} of ${all.length} pages`,
      held: all.every(({ exact }) => exact),
    },
  ];
}

/** The most that a page of as many orders grows by, from a million orders to a hundred. */
function growthOf(measured: readonly Measured[]): number {
  const costsAt = (size: string) => measured.find((one) => one.size === size)?.costs ?? [];
  const large = costsAt("100M");
  return most(
    costsAt("1M").map(({ units, orders }, position) => {
      const other = large[position];
      return other?.orders === orders ? other.units / units : 0;
    }),
  );
}
