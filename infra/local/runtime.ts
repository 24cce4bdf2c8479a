import { randomBytes } from "node:crypto";
import type { Runtime, RuntimeOptions } from "./api.ts";
import { type Deployment, readDeployment, withoutTimeouts } from "./assembly/deployment.ts";
import { findFunction } from "./assembly/functions.ts";
import { readAssembly } from "./assembly/read.ts";
import { AwsClient } from "./aws-client.ts";
import { Cleanup } from "./cleanup.ts";
import { createCustomResources } from "./custom-resources.ts";
import { isShared, startDatabase } from "./data/dynamodb.ts";
import { createQueues, startQueueServer } from "./data/queues.ts";
import { SecretStore, secretValues } from "./data/secrets.ts";
import { queuesOf, runtimeOf, secretsOf, tablesOf } from "./facade.ts";
import { Fleet } from "./functions/fleet.ts";
import { Logs } from "./functions/logs.ts";
import { Router } from "./http/routes.ts";
import { HttpApi } from "./http/server.ts";
import { loopback } from "./ports.ts";
import { DataProxy } from "./proxy/server.ts";
import type { Parts } from "./renew.ts";
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
 * Starts the parts in the order in which they need each other, and registers with `cleanup` how each ends.
 * DynamoDB, the slowest, starts in parallel.
 */
const start = async (options: RuntimeOptions, cleanup: Cleanup): Promise<Runtime> => {
  const { dataDir } = options;
  const starting = options.database ?? startDatabase(options);
  // The start may fail while something else is awaited. The failure is handled where DynamoDB is needed.
  const started = starting.catch(() => undefined);
  cleanup.defer(async () => (await started)?.stop());
  const assembly = readAssembly(options.assembly);
  const proxy = new DataProxy();
  const endpoint = `http://${loopback}:${await proxy.listen()}`;
  cleanup.defer(() => proxy.stop());
  const queueServer = await startQueueServer(dataDir);
  cleanup.defer(() => queueServer.stop());
  const queues = new AwsClient(queueServer.endpoint, "sqs");
  cleanup.defer(() => queues.close());
  const tableSuffix = tableSuffixOf(options);
  const synthesized = readDeployment(assembly, { queueOrigin: endpoint, tableSuffix });
  const deployment = options.isDebugged === true ? withoutTimeouts(synthesized) : synthesized;
  await createQueues(queues, deployment.queues);
  proxy.know(deployment.tables);
  const logs = new Logs(options.printing ?? "nothing");
  const fleet = new Fleet(deployment.functions, { ...options, logs, endpoint, proxy });
  cleanup.defer(() => fleet.stop());
  const database = await starting;
  const common = { deployment, tableSuffix, database, fleet, proxy, queues, dataDir };
  const parts: Parts = { common, logs, cleanup, session: await beginSession(common, options) };
  // Instances end while sources pause. Otherwise, a hanging batch would delay the end for its whole timeout.
  cleanup.defer(async () => void (await Promise.all([parts.session.end(), fleet.stop()])));
  return serve(parts, queueServer.endpoint, options);
};

/** Runtimes that share a DynamoDB have tables of their own, unless they keep them for their next start. */
const tableSuffixOf = (options: RuntimeOptions): string =>
  isShared(options) && options.dataDir === undefined ? `-${randomBytes(4).toString("hex")}` : "";

/** Fills the tables, starts to answer requests, and starts the event sources. */
const serve = async (
  parts: Parts,
  queueEndpoint: string,
  { dataDir, port, prepare, paused }: RuntimeOptions,
): Promise<Runtime> => {
  const { common, cleanup } = parts;
  const { deployment, database, fleet, proxy } = common;
  const { endpoint } = database;
  const secrets = secretValues(deployment.secrets, dataDir);
  proxy.connect({
    dynamodb: { endpoint, accessKeyId: () => parts.session.accessKeyId },
    sqs: queueEndpoint,
    secretsmanager: new SecretStore(deployment.secrets, secrets),
  });
  await createCustomResources(deployment.customResources, (name, event) => fleet.call(name, event));
  const tables = { endpoint, tables: tablesOf(deployment) };
  await prepare?.({ ...tables, accessKeyId: parts.session.accessKeyId });
  const api = new HttpApi(routerOf(deployment, fleet));
  const url = `http://${loopback}:${await api.listen(port ?? 0)}`;
  cleanup.defer(() => api.stop());
  if (paused !== true) parts.session.sources.resume();
  const sqs = { endpoint: queueEndpoint, ...queuesOf(deployment, queueEndpoint) };
  return runtimeOf({ url, dynamodb: tables, sqs, ...secretsOf(deployment, secrets) }, parts);
};

const routerOf = ({ routes }: Deployment, fleet: Fleet) =>
  new Router(
    routes.map(({ key, functionArn, timeoutMs }) => {
      const deployed = findFunction(fleet.functions, functionArn);
      const invoke = (event: unknown) => fleet.answer(deployed, event);
      return { key, target: { timeoutMs, invoke } };
    }),
  );
