import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { RuntimeOptions, Tuning } from "./api.ts";
import type { Deployment } from "./assembly/deployment.ts";
import { findFunction } from "./assembly/functions.ts";
import type { Addresses } from "./assembly/intrinsics/references.ts";
import { AwsClient } from "./aws-client.ts";
import type { Cleanup } from "./cleanup.ts";
import { type Database, type DatabaseOptions, isShared, newAccessKeyId } from "./data/dynamodb.ts";
import { createTables, deleteTables, withoutStream } from "./data/tables.ts";
import { EventSources } from "./events/sources.ts";
import { Checkpoints } from "./events/streams/checkpoints.ts";
import { StreamClient } from "./events/streams/client.ts";
import { StreamSources } from "./events/streams/sources.ts";
import { Fleet } from "./functions/fleet.ts";
import type { Logs } from "./functions/logs.ts";
import { Router } from "./http/routes.ts";
import { HttpApi } from "./http/server.ts";
import { loopback } from "./ports.ts";
import { DataProxy } from "./proxy/server.ts";
import { type QueueServer, startQueueServer } from "./queues/server.ts";

/**
 * The parts of a runtime. Each is opened with the parts that it needs, and registers with `cleanup` how to
 * close it.
 */

export interface OpenProxy {
  readonly proxy: DataProxy;
  readonly endpoint: string;
}

export const openProxy = async (cleanup: Cleanup): Promise<OpenProxy> => {
  const proxy = new DataProxy();
  const endpoint = `http://${loopback}:${await proxy.listen()}`;
  cleanup.defer(() => proxy.stop());
  return { proxy, endpoint };
};

export interface OpenQueues {
  readonly server: QueueServer;
  readonly client: AwsClient;
}

export const openQueues = async (dataDir: string | undefined, cleanup: Cleanup): Promise<OpenQueues> => {
  const server = await startQueueServer(dataDir);
  cleanup.defer(() => server.stop());
  const client = new AwsClient(server.endpoint, "sqs");
  cleanup.defer(() => client.close());
  return { server, client };
};

/**
 * If several runtimes share one DynamoDB, each has its own tables, unless it keeps them for its next start.
 */
export const addressesOf = (queueOrigin: string, options: DatabaseOptions): Addresses => ({
  queueOrigin,
  tableSuffix: isShared(options) && options.dataDir === undefined ? `-${randomBytes(4).toString("hex")}` : "",
});

/** An instance costs up to 25 MB. With this many, the whole runtime stays below 800 MB. */
const defaultLiveInstances = 12;

export const openFleet = (
  { functions }: Deployment,
  { proxy, endpoint }: OpenProxy,
  options: RuntimeOptions,
  logs: Logs,
): Fleet =>
  new Fleet(functions, {
    logs,
    compileCache: options.compileCache,
    endpoint,
    environment: options.environment ?? {},
    instancesPerFunction: options.instancesPerFunction,
    codeOf: options.codeOf,
    liveInstances: options.liveInstances ?? defaultLiveInstances,
    register: (accessKeyId, caller) => proxy.register(accessKeyId, caller),
  });

/** @returns where it listens */
export const openApi = async (
  { routes }: Deployment,
  fleet: Fleet,
  port: number | undefined,
  cleanup: Cleanup,
): Promise<string> => {
  const integrations = routes.map(({ key, functionArn, timeoutMilliseconds }) => {
    const deployed = findFunction(fleet.functions, functionArn);
    const invoke = (event: unknown) => fleet.answer(deployed, event);
    return { key, target: { timeoutMilliseconds, invoke } };
  });
  const api = new HttpApi(new Router(integrations));
  const listening = await api.listen(port ?? 0);
  cleanup.defer(() => api.stop());
  return `http://${loopback}:${listening}`;
};

export interface OpenTables extends Pick<Database, "endpoint" | "accessKeyId"> {
  readonly client: AwsClient;
  /** Whether tables of an earlier start were found. */
  readonly kept: boolean;
}

/**
 * Without the option `streams`, the tables have none, which saves work. With streams, tables that are not
 * kept get a database of their own: at each call to a table whose stream is still empty, DynamoDB Local scans
 * all changes of the database, including those of deleted tables.
 */
export const openTables = async (
  deployment: Deployment,
  { endpoint, accessKeyId: usual }: Database,
  { tableSuffix }: Addresses,
  { streams }: Tuning,
  cleanup: Cleanup,
): Promise<OpenTables> => {
  const accessKeyId = streams === false || tableSuffix === "" ? usual : newAccessKeyId();
  const client = new AwsClient(endpoint, "dynamodb", accessKeyId);
  cleanup.defer(() => client.close());
  const tables = streams === false ? deployment.tables.map(withoutStream) : deployment.tables;
  const created = await createTables(client, tables);
  if (tableSuffix !== "") cleanup.defer(() => deleteTables(client, created));
  return { endpoint, accessKeyId, client, kept: created.length < tables.length };
};

/** @param tables where the streams are read */
export const openStreams = (
  deployment: Deployment,
  fleet: Fleet,
  { endpoint, accessKeyId, client }: OpenTables,
  { dataDir, streams = true }: Pick<RuntimeOptions, "dataDir" | "streams">,
  cleanup: Cleanup,
): StreamSources => {
  const reading = new AwsClient(endpoint, "dynamodbstreams", accessKeyId);
  cleanup.defer(() => reading.close());
  return new StreamSources(deployment, fleet, {
    client: new StreamClient(client, reading),
    checkpoints: new Checkpoints(dataDir && join(dataDir, "streams")),
    isOn: streams,
  });
};

export const openSources = (
  deployment: Deployment,
  fleet: Fleet,
  { client }: OpenQueues,
  { proxy }: OpenProxy,
  streams: StreamSources,
  cleanup: Cleanup,
): EventSources => {
  const sources = new EventSources(deployment, fleet, client, streams);
  proxy.onSend = (queue) => sources.poke(queue);
  proxy.onWrite = (tables) => streams.poke(tables);
  cleanup.defer(() => sources.pause());
  return sources;
};
