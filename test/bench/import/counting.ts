/** How fast stock is counted in through the API, and what that costs for each bin. */
import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { demoBins } from "../../../infra/demo/registry.ts";
import type { Call } from "../../../infra/local/index.ts";
import { patient } from "../../support/http/client.ts";
import { create } from "../../support/records/flows.ts";
import { productOf } from "../../support/records/records.ts";
import { secondsBelow } from "../../support/runtime/processes.ts";
import type { Deployment } from "../scale/deployment.ts";

/** Bins of a call, and calls that are made at the same time. */
const [binsOfCall, clients] = [100, 4];

/** The stages of a count, by the function that carries each out. */
const stages = {
  "wms/recount": "accepting",
  "jobs/apply-recount": "applying",
  "events/publish-events": "events",
  "events/total-movements": "totals",
} as const;
type Stage = (typeof stages)[keyof typeof stages];

/** What a bin takes, on average. */
export interface Cost {
  readonly calls: number;
  readonly writeUnits: number;
  readonly readUnits: number;
}

/** What a stage took: its time, and what the service and the database used of a processor, in seconds. */
export interface Spent {
  readonly seconds: number;
  readonly service: number;
  readonly database: number;
}

const stageOf = (name: string): Stage | undefined =>
  Object.entries(stages).find(([one]) => one === name)?.[1];

/** Calls that count new products in, each in one bin. */
async function prepare(deployment: Deployment, bins: number): Promise<object[]> {
  const calls: object[] = [];
  for (let start = 0; start < bins; start += binsOfCall) {
    const made = Array.from({ length: Math.min(binsOfCall, bins - start) }, () => productOf());
    const { data } = await create(deployment, createProducts, ...made);
    const skus = data.map(({ sku }, position) => {
      const { location, bin } = demoBins[position % demoBins.length] ?? {};
      return { sku, bins: [{ location, bin, qty_in_bin: 5 }] };
    });
    calls.push({ account_id: deployment.accountId, skus });
  }
  await deployment.runtime.settled();
  return calls;
}

async function send({ wms }: Deployment, calls: object[]): Promise<void> {
  const { post } = patient(wms);
  const client = async (): Promise<void> => {
    for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
      const { status, body } = await post("/recount", [call]);
      if (status !== 200) throw new Error(`the recount answered ${status}: ${JSON.stringify(body)}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** What `work` takes of this process, which runs the functions, and of DynamoDB Local. */
export async function spentBy(work: () => Promise<void>): Promise<Spent> {
  const [began, usage, before] = [performance.now(), process.cpuUsage(), secondsBelow(String(process.pid))];
  await work();
  const { user, system } = process.cpuUsage(usage);
  return {
    seconds: (performance.now() - began) / 1000,
    service: (user + system) / 1e6,
    database: secondsBelow(String(process.pid)) - before,
  };
}

/** Counts so many new products in: first accepts all corrections, then applies them. */
export async function countInStages(
  deployment: Deployment,
  bins: number,
): Promise<Readonly<Record<"accepting" | "applying", Spent>>> {
  const { runtime } = deployment;
  const calls = await prepare(deployment, bins);
  await runtime.pause();
  const accepting = await spentBy(() => send(deployment, calls));
  const applying = await spentBy(async () => {
    runtime.resume();
    await runtime.settled();
  });
  return { accepting, applying };
}

/** Counts so many new products in, until their events can be read. */
export async function countIn(deployment: Deployment, bins: number): Promise<Spent> {
  const calls = await prepare(deployment, bins);
  return spentBy(async () => {
    await send(deployment, calls);
    await deployment.runtime.settled();
  });
}

/** What counting a bin in costs. To find out takes the database longer than the work itself. */
export async function costsOfCounting(
  deployment: Deployment,
  bins: number,
): Promise<Readonly<Record<Stage, Cost>>> {
  const { runtime } = deployment;
  const calls = await prepare(deployment, bins);
  runtime.recordCapacity(true);
  const mark = runtime.mark();
  await send(deployment, calls);
  await runtime.settled();
  const made = runtime.calls(mark);
  runtime.recordCapacity(false);
  const costOf = (stage: Stage): Cost => {
    const own = made.filter(({ function: name }) => stageOf(name) === stage);
    const units = (kind: "read" | "write") =>
      own
        .flatMap(({ charges }: Call) => charges)
        .reduce((sum, one) => sum + (one.kind === kind ? one.units : 0), 0);
    return { calls: own.length / bins, writeUnits: units("write") / bins, readUnits: units("read") / bins };
  };
  return {
    accepting: costOf("accepting"),
    applying: costOf("applying"),
    events: costOf("events"),
    totals: costOf("totals"),
  };
}
