import type { Runtime, RuntimeOptions } from "./api.ts";
import { readDeployment, withoutTimeouts } from "./assembly/deployment.ts";
import { readAssembly } from "./assembly/read.ts";
import { Cleanup } from "./cleanup.ts";
import { settleCustomResources } from "./custom-resources.ts";
import { startDatabase } from "./data/dynamodb.ts";
import { describe, type Parts, queuesOf, secretsOf, tablesOf } from "./describe.ts";
import { Logs } from "./functions/logs.ts";
import { addressesOf, openApi, openFleet, openProxy, openQueues } from "./parts.ts";
import { SecretStore, secretValues } from "./secrets/store.ts";
import { beginSession } from "./session.ts";

/**
 * Runs a synthesized cloud assembly on this machine.
 * @throws {Problem} if it cannot; the message says what to do
 */
export const startRuntime = async (options: RuntimeOptions): Promise<Runtime> => {
  const cleanup = new Cleanup();
  try {
    return await start(options, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
};

/**
 * Starts the parts in the order in which they need each other. DynamoDB, the slowest, starts at the same
 * time.
 */
const start = async (options: RuntimeOptions, cleanup: Cleanup): Promise<Runtime> => {
  const { dataDir, port } = options;
  const starting = options.database ?? startDatabase(options);
  // The start may fail while something else is awaited. The failure is met where DynamoDB is needed.
  const started = starting.catch(() => undefined);
  cleanup.defer(async () => (await started)?.stop());
  const assembly = readAssembly(options.assembly);
  const open = await openProxy(cleanup);
  const queues = await openQueues(dataDir, cleanup);
  const addresses = addressesOf(open.endpoint, options);
  const synthesized = readDeployment(assembly, addresses);
  const deployment = options.isDebugged === true ? withoutTimeouts(synthesized) : synthesized;

  open.proxy.describe(deployment.tables);
  const logs = new Logs(options.printing ?? "nothing");
  const fleet = openFleet(deployment, open, options, logs);
  cleanup.defer(() => fleet.stop());
  const database = await starting;
  const common = { deployment, addresses, database, fleet, open, queues, options };
  const parts: Parts = { common, logs, cleanup, session: await beginSession(common, options) };
  // Instances end while sources pause: else a batch that hangs would hold up the runtime for its whole
  // timeout.
  cleanup.defer(async () => void (await Promise.all([parts.session.end(), fleet.stop()])));
  const secrets = secretValues(deployment.secrets, dataDir);
  const secretsmanager = new SecretStore(deployment.secrets, secrets);
  const { endpoint } = database;
  const dynamodb = { endpoint, accessKeyId: () => parts.session.accessKeyId };
  open.proxy.connect({ dynamodb, sqs: queues.server.endpoint, secretsmanager });

  await settleCustomResources(deployment.customResources, (name, event) => fleet.call(name, event), dataDir);
  const tables = { endpoint, tables: tablesOf(deployment), kept: parts.session.kept };
  await options.prepare?.({ ...tables, accessKeyId: parts.session.accessKeyId });
  const url = await openApi(deployment, fleet, port, cleanup);
  if (options.paused !== true) parts.session.sources.resume();
  const places = {
    url,
    dynamodb: tables,
    sqs: { endpoint: queues.server.endpoint, ...queuesOf(deployment, queues.server.endpoint) },
    ...secretsOf(deployment, secrets),
  };
  return describe(places, parts);
};
