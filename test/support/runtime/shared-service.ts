import { fillAccount } from "../../../infra/demo/load.ts";
import { demoUsers, setUpStore, setUpUser, setUpWarehouse } from "../../../infra/demo/registry.ts";
import { putBins, putDistributionCenters } from "../../../infra/operator/set-up/registry.ts";
import { Problem } from "../../../shared/common/problem.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { Guard } from "../http/client.ts";
import { mustBeDocumented } from "../http/documented.ts";
import { newStore } from "../records/accounts.ts";
import { rehearsed } from "./rehearsed.ts";
import { type Deployed, deployedBy, type Service, serviceOf } from "./service.ts";
import { takeRuntime } from "./worker-runtime.ts";

/**
 * Keeps a file from what would touch others' records. What a test can do with the runtime itself is no part
 * of `Service`; the demo's accounts are not there at all.
 * @throws where the file needs a service of its own
 */
const guard: Guard = (path, body) => {
  const refuse = (reason: string): never => {
    throw new Error(`${path} ${reason}. A file that calls it must start a service of its own.`);
  };
  const names = (field: string): boolean => body?.includes(`"${field}"`) ?? false;
  if (path.endsWith("/pp-getOrders-1")) refuse("claims the orders of every account");
  if (path.endsWith("/qc-shippings-1") && !names("order_id")) refuse("lists the shipments of every account");
  if (path.endsWith("/mobile-login-1") && demoUsers.some(({ user_name }) => body?.includes(`"${user_name}"`)))
    refuse("counts the failed sign-ins of a user whom other files share");
  if (path.endsWith("/wms/docs") && demoUsers.some(({ user_name }) => body?.includes(`=${user_name}&`)))
    refuse("counts the failed sign-ins of a user whom other files share");
};

/** A bin of another center than the demo's bins. */
const eastBin = {
  bin_id: 10,
  location: "E1",
  bin: "01",
  distribution_center_id: 2,
  distribution_center: "EAST",
};

/** A center that keeps nothing. */
const idleCenter = { distribution_center_id: 9, code: "IDLE", name: "Idle Warehouse" };

async function startHere(): Promise<Deployed> {
  const runtime = await takeRuntime();
  globalThis.endOfWorker.push(() => runtime.stop());
  runtime.resume();
  return deployedBy(runtime);
}

/** Sets up those of the demo's users whom no other file of the rehearsed deployment has set up. */
async function setUpMissingUsers(db: Database): Promise<void> {
  for (const user of demoUsers)
    await setUpUser(db, user).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
    });
}

async function start(): Promise<Omit<Service, "accountId" | "credentials" | "oms" | "v2">> {
  const service = serviceOf(rehearsed() ?? (await startHere()), { guard, checkAnswer: mustBeDocumented });
  const { db } = service;
  await Promise.all([
    setUpWarehouse(db),
    setUpMissingUsers(db),
    putBins(db, [eastBin]),
    putDistributionCenters(db, [idleCenter]),
  ]);
  return service;
}

let started: ReturnType<typeof start> | undefined;

/**
 * The service that all files of this worker share, and a new account that is this file's alone.
 *
 * The account has the registries of the demo's account 100, and with `demoData` its products, goods and
 * orders as well. The warehouse is everybody's: its bins, one of them in `EAST`, its centers, also `IDLE`,
 * and the user `manager`. Nothing has to be stopped.
 */
export async function sharedService({ demoData = false } = {}): Promise<Service> {
  started ??= start();
  const service = await started;
  const store = await newStore(service);
  await setUpStore(service.db, store.accountId);
  if (demoData) await fillAccount(service.db, store.accountId);
  return { ...service, ...store };
}
