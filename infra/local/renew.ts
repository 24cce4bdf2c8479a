import type { Renewal } from "./api.ts";
import type { Cleanup } from "./cleanup.ts";
import { createCustomResources } from "./custom-resources.ts";
import { emptyQueues } from "./data/queues.ts";
import type { Logs } from "./functions/logs.ts";
import { LocalProblem } from "./problem.ts";
import { beginSession, type Common, type Session } from "./session.ts";

/** The parts that run. */
export interface Parts {
  readonly common: Common;
  readonly logs: Logs;
  readonly cleanup: Cleanup;
  /** The current session. */
  session: Session;
}

/** Faults end first, and with them hanging requests. Nothing of the old session outlives its end. */
export const renew = async (parts: Parts, { cold = new Set(), ...tuning }: Renewal): Promise<void> => {
  const { fleet, proxy, queues, deployment, tableSuffix } = parts.common;
  if (tableSuffix === "")
    throw new LocalProblem(
      "A runtime begins anew only with a DynamoDB that is given to it, and without a dataDir.",
    );
  proxy.calm();
  fleet.limit(tuning.instancesPerFunction);
  fleet.end(cold);
  await parts.session.sources.pause();
  await proxy.forget();
  await parts.session.end();
  await emptyQueues(queues, deployment.queues);
  parts.logs.clear();
  parts.session = await beginSession(parts.common, tuning);
  await createCustomResources(deployment.customResources, (name, event) => fleet.call(name, event));
  await proxy.forget();
  parts.logs.clear();
};
