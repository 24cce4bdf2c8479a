/**
 * Single creates a second. Two cores can't run the API, the functions in their threads and DynamoDB Local at
 * 200 calls a second. So the flow of `POST /orders` runs in this process, without HTTP, authentication and
 * `Idempotency-Key`. Each client has a connection of its own, as each instance of a function has. Time and
 * conflicts of transactions are those of `Contention`.
 *
 * The rates rise until the machine is busy with them. Then the highest rate runs again with a slowed clock.
 */
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { orders } from "../../../shared/orders/storage/order-repository.ts";
import { stockOf } from "../../../shared/stock/stock-levels.ts";
import { readList } from "../../../shared/store/lists/read-list.ts";
import { type NewProduct, newProducts } from "../../support/business/world.ts";
import { create } from "../../support/records/flows.ts";
import { orderOf } from "../../support/records/records.ts";
import { slowed } from "./creates/clock.ts";
import { Contention } from "./creates/contention.ts";
import { carry, type Outcome } from "./creates/load.ts";
import { type Deployment, deployed } from "./deployment.ts";
import type { Figure, Part } from "./figures.ts";

const clients = 64;

/**
 * Seconds of a run. A run ends with its last call, so a short one says little; with a slowed clock it takes
 * long.
 */
const secondsOf = (times: number): number => (times === 1 ? 20 : 6);

/**
 * How many times slower the clock goes where the machine can't carry a rate: more, where that does not help.
 */
const slowness = [8, 32];

/** Milliseconds that a transaction takes. */
const transactions = [10, 20];

/**
 * What is ordered: one unit of a product that nobody else orders at that moment, or of one that everybody
 * orders.
 */
interface Kind {
  readonly name: string;
  readonly products: number;
  readonly rates: readonly number[];
  /** Milliseconds of 99 calls in a hundred. */
  readonly mostP99: number;
}

const kinds: readonly Kind[] = [
  { name: "distinct products", products: 600, rates: [20, 50, 100, 200], mostP99: 250 },
  { name: "all of one product (a drop)", products: 1, rates: [20, 50, 100], mostP99: 1000 },
];

interface Run extends Outcome {
  readonly rate: number;
  /** How many times slower the clock went. */
  readonly times: number;
  /** Refused writes a create. */
  readonly conflicts: number;
}

export const creates: Part = (print) =>
  deployed({ paused: true }, async (deployment) => {
    print(
      "orders of            transaction  clock rate  reached  p50 ms  p99 ms  failed  conflicts a create  cores  machine",
    );
    const figures: Figure[] = [];
    for (const kind of kinds) {
      for (const milliseconds of transactions) {
        const { run, check } = await prepared(deployment, kind, milliseconds);
        const runs: Run[] = [];
        const note = async (rate: number, times: number): Promise<Run> => {
          const outcome = await run(rate, secondsOf(times), times);
          runs.push(outcome);
          print(lineOf(kind, milliseconds, outcome));
          return outcome;
        };
        for (const rate of kind.rates) if (!isTelling(kind, await note(rate, 1))) break;
        for (const times of slowness) {
          if (!runs.some((run) => run.rate === highest(kind) && isTelling(kind, run)))
            await note(highest(kind), times);
        }
        figures.push(figureOf(kind, milliseconds, runs, await check()));
      }
    }
    return figures;
  });

const highest = ({ rates }: Kind): number => Math.max(...rates);

const isHeld = ({ mostP99 }: Kind, { rate, reached, p99, failed }: Run): boolean =>
  reached >= 0.97 * rate && p99 <= mostP99 && failed === 0;

/** Whether a run tells of the service: it does not where it missed something while the machine was busy. */
const isTelling = (kind: Kind, run: Run): boolean => isHeld(kind, run) || run.machine < 0.9;

/**
 * Every run has new products and new connections, as what is learned of a product that everybody orders helps
 * later.
 */
async function prepared(deployment: Deployment, { products: count }: Kind, milliseconds: number) {
  const { db, accountId } = deployment;
  const contention = new Contention();
  const total = async () => (await readList(orders, db, accountId, { page: 1, per_page: 1 })).total;
  const before = await total();
  const ordered: NewProduct[] = [];
  let stored = 0;
  const run = async (rate: number, length: number, times: number): Promise<Run> => {
    const products = await manyProducts(deployment, count);
    ordered.push(...products);
    const connections = Array.from({ length: clients }, () => contention.join(deployment.connect()));
    let sent = 0;
    const call = (client: number): Promise<unknown> => {
      const { sku = "" } = products[sent++ % count] ?? {};
      return create(
        { db: connections[client] ?? db, accountId },
        createOrders,
        orderOf([{ sku, quantity: 1 }]),
      );
    };
    contention.conflicts = 0;
    const outcome = await slowed(times, () => carry({ rate, seconds: length, clients }, call));
    for (const { client } of connections) client.destroy();
    stored += outcome.stored;
    return { ...outcome, rate, times, conflicts: contention.conflicts / (outcome.stored + outcome.failed) };
  };
  // Has the code compiled, that of DynamoDB Local too: or the first runs would be busy with that.
  await run(100, 10, 1);
  contention.milliseconds = milliseconds;
  /** Whether what is listed and what is reserved is what was stored. */
  const check = async (): Promise<boolean> => {
    let reserved = 0;
    for (const { product_id } of ordered)
      for (const level of await stockOf(db, product_id)) reserved += level.reserved;
    return (await total()) - before === stored && reserved === stored;
  };
  return { run, check };
}

async function manyProducts(deployment: Deployment, count: number): Promise<readonly NewProduct[]> {
  const products: NewProduct[] = [];
  while (products.length < count) {
    products.push(...(await newProducts(deployment, Math.min(100, count - products.length))));
  }
  return products;
}

const lineOf = ({ name }: Kind, milliseconds: number, run: Run): string =>
  [
    name.slice(0, 20).padEnd(21),
    `${milliseconds} ms`.padEnd(13),
    (run.times === 1 ? "real" : `1/${run.times}`).padEnd(6),
    String(run.rate).padStart(4),
    run.reached.toFixed(0).padStart(9),
    run.p50.toFixed(0).padStart(8),
    run.p99.toFixed(0).padStart(8),
    String(run.failed).padStart(8),
    run.conflicts.toFixed(2).padStart(20),
    run.cores.toFixed(2).padStart(7),
    `${(run.machine * 100).toFixed(0)} %`.padStart(9),
  ].join("");

/**
 * Judges what tells of the service, and the last run in any case. One of them must have had the real clock.
 */
function figureOf(kind: Kind, milliseconds: number, runs: readonly Run[], exact: boolean): Figure {
  const { name, mostP99 } = kind;
  const judged = runs.filter((run) => isTelling(kind, run) || run === runs.at(-1));
  const isReal = judged.some(({ times }) => times === 1);
  const words = runs.map(
    ({ rate, times, reached, p50, p99, failed, conflicts, machine }) =>
      `${times === 1 ? "" : `clock ${times} times slower: `}${reached.toFixed(0)} of ${rate}, ` +
      `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${failed} failed, ` +
      `${conflicts.toFixed(2)} conflicts a create, machine ${(machine * 100).toFixed(0)} % busy`,
  );
  return {
    figure: `single creates a second, ${name}, transactions of ${milliseconds} ms`,
    goal: `${highest(kind)}, p99 ${mostP99} ms, none failed`,
    found: [
      ...words,
      `totals ${exact ? "exact" : "WRONG"}`,
      ...(isReal ? [] : ["no run with the real clock tells, as the machine was busy"]),
    ].join("; "),
    held: exact && isReal && judged.every((run) => isHeld(kind, run)),
  };
}
