/** The deployment that one part of the bench has for itself, with the demo data. */
import { loadDemoData } from "../../../infra/demo/load.ts";
import {
  type Runtime,
  type RuntimeOptions,
  startDatabase,
  startRuntime,
} from "../../../infra/local/index.ts";
import { synthesize } from "../../../infra/synthesize.ts";
import { deployedBy, type Service, serviceOf, storeOf } from "../../support/runtime/service.ts";

export interface Deployment extends Service {
  readonly runtime: Runtime;
}

let assembly: Promise<string> | undefined;

/** Runs `work` on a new deployment; its account is the demo's, 100. */
export async function deployed<T>(
  options: Partial<RuntimeOptions>,
  work: (deployment: Deployment) => Promise<T>,
): Promise<T> {
  assembly ??= synthesize();
  const database = startDatabase({ longLived: true });
  const runtime = await startRuntime({ assembly: await assembly, database, streams: false, ...options });
  try {
    await loadDemoData(runtime);
    const service = serviceOf(deployedBy(runtime));
    return await work({ ...service, ...storeOf(service, 100, "demo-oms-key-100"), runtime });
  } finally {
    await runtime.stop();
  }
}
