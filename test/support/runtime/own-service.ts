import { afterAll, afterEach } from "vitest";
import { connectTo, loadDemoData } from "../../../infra/demo/load.ts";
import { setUpAccounts, setUpUsers, setUpWarehouse } from "../../../infra/demo/registry.ts";
import type { Runtime } from "../../../infra/local/index.ts";
import type { Client } from "../http/client.ts";
import { mustBeDocumented } from "../http/documented.ts";
import { giveDemoData } from "../records/demo-data.ts";
import { deployedBy, type Service, serviceOf, storeOf } from "./service.ts";
import { takeRuntime, type Wishes } from "./worker-runtime.ts";

/** A service that one file has for itself, with the demo data. Its own account is the demo's, 100. */
export interface OwnService extends Service {
  readonly runtime: Runtime;
  /** The OMS as a demo account. */
  readonly omsOf: (accountId: number) => Client;
}

interface Options extends Wishes {
  /** Begins with event sources and schedules paused. */
  readonly paused?: boolean;
  /**
   * Whether account 100 has the demo's products, goods and orders (true). Each takes its time where streams
   * tell of it.
   */
  readonly goods?: boolean;
}

/** The warehouse, its users and the accounts, without goods. */
async function setUp(runtime: Runtime): Promise<void> {
  const db = connectTo(runtime);
  await Promise.all([setUpUsers(db), setUpWarehouse(db), setUpAccounts(db)]);
}

function fill(runtime: Runtime, { goods = true, streams = false }: Options): Promise<void> {
  if (!goods) return setUp(runtime);
  // Streams tell of changes as they were made, and a copy would look like another history.
  return streams ? loadDemoData(runtime) : giveDemoData(runtime);
}

/**
 * A service for the calling file, to be started as the file is loaded. No fault outlives a test, and the
 * service ends with the file. It is for files that would disturb others, or be disturbed: by faults, latency,
 * pauses, clocks, scans, or calls that touch every account. All others take `sharedService`, which costs them
 * no start.
 */
export async function ownService(options: Options = {}): Promise<OwnService> {
  const service = await startService(options);
  afterEach(() => service.runtime.faults.clear());
  afterAll(() => service.runtime.stop());
  return service;
}

/** Starts a service for one test, which must stop the runtime at its end. */
export async function startService(options: Options = {}): Promise<OwnService> {
  const { paused = false, goods: _goods, ...wishes } = options;
  const runtime = await takeRuntime(wishes);
  await fill(runtime, options).catch(async (error: unknown) => {
    await runtime.stop();
    throw error;
  });
  if (!paused) runtime.resume();
  const service = serviceOf(deployedBy(runtime), { checkAnswer: mustBeDocumented });
  const demo = (accountId: number) => storeOf(service, accountId, `demo-oms-key-${accountId}`);
  return { ...service, ...demo(100), runtime, omsOf: (accountId) => demo(accountId).oms };
}
