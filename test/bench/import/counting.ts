/** How fast stock is counted in through the API, and what that costs for each bin. */
import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { demoBins } from "../../../infra/demo/registry.ts";
import type { Call } from "../../../infra/local/index.ts";
import { create } from "../../support/records/flows.ts";
import { productOf } from "../../support/records/records.ts";
import type { Deployment } from "../scale/deployment.ts";

/** Bins of a call, and calls that are made at the same time. */
const [binsOfCall, clients] = [100, 4];

/** The stages of a count, by the function that carries each out. */
const stages = {
  "wms/recount": "accepting",
  "jobs/apply-recount": "applying",
  "events/publish-events": "events",
} as const;
type Stage = (typeof stages)[keyof typeof stages];

/** What a bin takes, on average. */
interface Cost {
  readonly calls: number;
  readonly writeUnits: number;
  readonly readUnits: number;
}

export interface Counting {
  readonly bins: number;
  /** From the first call until each is answered, until each bin is changed, and until the events are read. */
  readonly seconds: { readonly accepted: number; readonly applied: number; readonly published: number };
  readonly costs: Readonly<Record<Stage, Cost>>;
}

const stageOf = (name: string): Stage | undefined =>
  Object.entries(stages).find(([one]) => one === name)?.[1];

/** Counts so many new products in, each in one bin. */
export async function countIn(deployment: Deployment, bins: number): Promise<Counting> {
  const { runtime, wms } = deployment;
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
  await runtime.settled();
  runtime.recordCapacity(true);
  const mark = runtime.mark();
  const began = performance.now();
  const since = (): number => (performance.now() - began) / 1000;
  const client = async (): Promise<void> => {
    for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
      const { status, body } = await wms.post("/recount", [call]);
      if (status !== 200) throw new Error(`the recount answered ${status}: ${JSON.stringify(body)}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const accepted = since();
  await runtime.settled();
  const published = since();
  const made = runtime.calls(mark);
  runtime.recordCapacity(false);
  const last = made.findLast(({ function: name }) => name === "jobs/apply-recount")?.end ?? 0;
  const first = made[0]?.start ?? 0;
  return {
    bins,
    seconds: { accepted, applied: (last - first) / 1000, published },
    costs: {
      accepting: costOf(made, "accepting", bins),
      applying: costOf(made, "applying", bins),
      events: costOf(made, "events", bins),
    },
  };
}

function costOf(made: readonly Call[], stage: Stage, bins: number): Cost {
  const own = made.filter(({ function: name }) => stageOf(name) === stage);
  const units = (kind: "read" | "write") =>
    own.flatMap(({ charges }) => charges).reduce((sum, one) => sum + (one.kind === kind ? one.units : 0), 0);
  return { calls: own.length / bins, writeUnits: units("write") / bins, readUnits: units("read") / bins };
}
