import { inject } from "vitest";
import { loadDemoData } from "../../infra/demo/data.ts";
import { type Runtime, type RuntimeOptions, startRuntime } from "../../infra/local/index.ts";
import { loopbackVariable } from "../../shared/contract.ts";
import type { Client } from "./client.ts";
import { giveDemoData } from "./demo-data.ts";
import { mustBeDocumented } from "./documented.ts";
import { keepPermissions } from "./permissions.ts";
import { type Service, serviceOf, storeOf } from "./service.ts";

/** A service that one file has for itself, with the demo data. Its own account is the demo's, 100. */
export interface OwnService extends Service {
  readonly runtime: Runtime;
  /** The OMS as a demo account. */
  readonly omsOf: (accountId: number) => Client;
}

/**
 * Each function runs twice at most, unless a file asks for more. None gives way to another. Tables tell of changes only where a
 * file asks for `streams`.
 */
const modest = { instancesPerFunction: 2, liveInstances: 60, streams: false };

/** Starts a runtime whose tables are empty. It is paused. */
export async function startEmpty(options: Partial<RuntimeOptions> = {}): Promise<Runtime> {
  const started = await startRuntime({
    assembly: inject("assembly"),
    dynamodbEndpoint: inject("dynamodbEndpoint"),
    compileCache: inject("compileCache"),
    environment: { [loopbackVariable]: "allowed" },
    ...modest,
    ...options,
    paused: true,
  });
  return {
    ...started,
    stop: () => {
      keepPermissions(started);
      return started.stop();
    },
  };
}

/**
 * Starts a service for one file, which must stop the runtime at its end. It is for files that would disturb others, or be
 * disturbed: by faults, latency, pauses, clocks, scans, or calls that touch every account. All others take
 * `sharedService`, which costs them no start.
 */
export async function startService(options: Partial<RuntimeOptions> = {}): Promise<OwnService> {
  const runtime = await startEmpty(options);
  // Streams tell of changes as they were made, and a copy would look like another history.
  await (options.streams === true ? loadDemoData(runtime) : giveDemoData(runtime));
  if (options.paused !== true) runtime.resume();
  const service = serviceOf(runtime, { witness: mustBeDocumented });
  const demo = (accountId: number) => storeOf(service, accountId, `demo-oms-key-${accountId}`);
  return { ...service, ...demo(100), runtime, omsOf: (accountId) => demo(accountId).oms };
}
