import type { Runtime, RuntimeOptions } from "./api.ts";
import { readDeployment } from "./assembly/deployment.ts";
import { readAssembly } from "./assembly/read.ts";
import { Cleanup } from "./cleanup.ts";
import { startDatabase } from "./data/dynamodb.ts";
import { describe, queuesOf, secretsOf, tablesOf } from "./describe.ts";
import { Logs } from "./functions/logs.ts";
import {
  addressesOf,
  openApi,
  openFleet,
  openProxy,
  openQueues,
  openSources,
  openStreams,
  openTables,
} from "./parts.ts";
import { createQueues } from "./queues/server.ts";
import { SecretStore, secretValues } from "./secrets/store.ts";

/** Runs a synthesized cloud assembly on this machine. @throws {Problem} if it cannot; the message says what to do */
export const startRuntime = async (options: RuntimeOptions): Promise<Runtime> => {
  const cleanup = new Cleanup();
  try {
    return await start(options, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
};

/** Starts the parts in the order in which they need each other. DynamoDB, the slowest, starts at the same time. */
const start = async (options: RuntimeOptions, cleanup: Cleanup): Promise<Runtime> => {
  const { dataDir, port, visibilityTimeoutSeconds } = options;
  const starting = options.database ?? startDatabase(options);
  // The start may fail while something else is awaited. The failure is met where DynamoDB is needed.
  const started = starting.catch(() => undefined);
  cleanup.defer(async () => (await started)?.stop());
  const assembly = readAssembly(options.assembly);
  const open = await openProxy(cleanup);
  const queues = await openQueues(dataDir, cleanup);
  const addresses = addressesOf(open.endpoint, options);
  const deployment = readDeployment(assembly, addresses, visibilityTimeoutSeconds);

  open.proxy.describe(deployment.tables);
  const logs = new Logs(options.printing ?? "nothing");
  const fleet = openFleet(deployment, open, options, logs);
  cleanup.defer(() => fleet.stop());
  const url = await openApi(deployment, fleet, port, cleanup);
  await createQueues(queues.client, deployment.queues);
  const database = await starting;
  const tables = await openTables(deployment, database, addresses, options, cleanup);
  const secrets = secretValues(deployment.secrets, dataDir);
  const secretsmanager = new SecretStore(deployment.secrets, secrets);
  const upstreams = { dynamodb: database.endpoint, sqs: queues.server.endpoint, secretsmanager };
  open.proxy.connect(upstreams);

  const streams = openStreams(deployment, fleet, tables, options, cleanup);
  const sources = openSources(deployment, fleet, queues, open, streams, cleanup);
  if (options.paused !== true) sources.resume();
  const places = {
    url,
    dynamodb: { endpoint: database.endpoint, tables: tablesOf(deployment), kept: tables.kept },
    sqs: { endpoint: queues.server.endpoint, ...queuesOf(deployment, queues.server.endpoint) },
    secrets: secretsOf(deployment, secrets),
  };
  return describe(places, { fleet, proxy: open.proxy, sources, logs, cleanup });
};
