/** How long after a write its event is in the feed. */
import { setTimeout as sleep } from "node:timers/promises";
import { readFeedHead } from "../../../shared/events/feed-repository.ts";
import { productOf } from "../../support/records/records.ts";
import type { Deployment } from "../scale/deployment.ts";
import { quantile } from "../scale/figures.ts";

const writes = 200;

/** Milliseconds between two writes, and between two looks at the feed. */
const [betweenWrites, betweenLooks] = [50, 5];

export interface Delay {
  readonly p50: number;
  readonly p99: number;
}

export const delayOf = (milliseconds: readonly number[]): Delay => {
  const sorted = milliseconds.toSorted((left, right) => left - right);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
};

/**
 * Has one record created as clients do, and gives the answer. The local streams look at once for what
 * functions write, and each second for what a test writes past them.
 */
export async function createOver(
  { oms }: Pick<Deployment, "oms">,
  path: string,
  data: object,
): Promise<unknown> {
  const { status, body } = await oms.post(path, { data });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export const createProduct = (deployment: Pick<Deployment, "oms">): Promise<unknown> =>
  createOver(deployment, "/inventory/products", [productOf()]);

/** The sequence of the account's latest event. */
export const latestOf = async ({ db, accountId }: Pick<Deployment, "db" | "accountId">): Promise<number> =>
  (await readFeedHead(db, accountId, new Date().toISOString())).sequence;

/** Writes one record after another, and looks at the feed until it tells of each. */
export async function delayToFeed(deployment: Deployment): Promise<Delay> {
  await deployment.runtime.settled();
  const delays: number[] = [];
  for (let count = 0; count < writes; count += 1) {
    const before = await latestOf(deployment);
    await createProduct(deployment);
    const written = performance.now();
    while ((await latestOf(deployment)) === before) await sleep(betweenLooks);
    delays.push(performance.now() - written);
    await sleep(betweenWrites);
  }
  return delayOf(delays);
}
