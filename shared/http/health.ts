/** The health of the service, for monitors and load balancers (docs/decisions.md, Health). */

import { clock } from "../common/clock.ts";
import { Problem } from "../common/problem.ts";
import type { HealthCheckContract } from "../runtime/contract.ts";
import { database } from "../runtime/database.ts";
import { logger } from "../runtime/log.ts";
import { deploymentPartition } from "../store/layouts/deployment.ts";
import { gateway } from "./http-handler.ts";
import { json } from "./responses.ts";

export const healthContract: HealthCheckContract = {
  type: "health-check",
  path: "/health",
  summary: "Whether the service reads its tables",
  access: { identity: { [deploymentPartition]: "read" } },
  sends: [],
};

/** An instance reads at most once in this many milliseconds. */
const readEvery = 1_000;

/** A read that takes longer counts as failed. */
const readTimeout = 2_000;

/** Reads the deployment's record, as every function does while it loads. @throws if that fails */
async function readTable(): Promise<void> {
  const { layouts } = await database();
  const hasJustLoaded = clock() < readEvery;
  if (!hasJustLoaded) await layouts.refresh(AbortSignal.timeout(readTimeout));
}

/** The Lambda handler of `GET /health`. `read` is the read that must succeed. */
export function healthLambda(read: () => Promise<void> = readTable) {
  let last = { at: Number.NEGATIVE_INFINITY, isWorking: Promise.resolve(false) };
  return gateway(async () => {
    if (clock() - last.at >= readEvery) {
      const works = () => true;
      const fails = (error: unknown) => {
        logger.warn("unhealthy", { error });
        return false;
      };
      last = { at: clock(), isWorking: read().then(works, fails) };
    }
    if (await last.isWorking) return json(200, { status: "ok" });
    throw new Problem("unavailable", "The service can't read its tables now");
  });
}
