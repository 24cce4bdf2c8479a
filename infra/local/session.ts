import { join } from "node:path";
import type { Tuning } from "./api.ts";
import type { Deployment } from "./assembly/deployment.ts";
import { AwsClient } from "./aws-client.ts";
import { Cleanup } from "./cleanup.ts";
import { type DatabaseServer, newAccessKeyId } from "./data/dynamodb.ts";
import { createTables, deleteTables, withoutStream } from "./data/tables.ts";
import { EventSources } from "./events/sources.ts";
import { Checkpoints } from "./events/streams/checkpoints.ts";
import { StreamClient } from "./events/streams/client.ts";
import type { Fleet } from "./functions/fleet.ts";
import type { DataProxy } from "./proxy/server.ts";

/** What all sessions of a runtime share. */
export interface Common {
  readonly deployment: Deployment;
  /** The suffix of the tables' names if they are deleted at the end of a session; empty if they are kept. */
  readonly tableSuffix: string;
  readonly database: DatabaseServer;
  readonly fleet: Fleet;
  readonly proxy: DataProxy;
  readonly queues: AwsClient;
  readonly dataDir: string | undefined;
}

/**
 * One life of the tables, from empty tables to the next empty ones, with the event sources of tables and
 * queues.
 */
export interface Session {
  readonly sources: EventSources;
  /** The access key of the tables: see `DatabaseServer`. */
  readonly accessKeyId: string;
  /** Ends everything that the session began; tables that are not kept are deleted. */
  end(): Promise<void>;
}

/** Begins a session with paused event sources. */
export const beginSession = async (common: Common, tuning: Tuning): Promise<Session> => {
  const cleanup = new Cleanup();
  try {
    return { ...(await begin(common, tuning, cleanup)), end: () => cleanup.run() };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
};

const begin = async (
  common: Common,
  { redeliversAtOnce = false, streams = true, schedules = true }: Tuning,
  cleanup: Cleanup,
): Promise<Omit<Session, "end">> => {
  const { deployment, database, fleet, proxy, queues, dataDir } = common;
  const { tables, accessKeyId } = await openTables(common, streams, cleanup);
  const reading = new AwsClient(database.endpoint, "dynamodbstreams", accessKeyId);
  cleanup.defer(() => reading.close());
  const sources = new EventSources(deployment, fleet, {
    queues,
    streams: new StreamClient(tables, reading),
    checkpoints: new Checkpoints(dataDir && join(dataDir, "streams")),
    followsStreams: streams,
    followsClock: schedules,
    redeliversAtOnce,
  });
  proxy.onSend = (queue) => sources.announceMessage(queue);
  proxy.onWrite = (written) => sources.announceWrite(written);
  cleanup.defer(() => sources.pause());
  return { sources, accessKeyId };
};

/**
 * Creates the missing tables. Tables without streams save work. With streams, tables that are not kept get a
 * separate database: at each call to a table whose stream is still empty, DynamoDB Local scans all changes of
 * the database, including those of deleted tables.
 */
const openTables = async (
  { deployment, database, tableSuffix }: Common,
  streams: boolean,
  cleanup: Cleanup,
): Promise<Pick<Session, "accessKeyId"> & { readonly tables: AwsClient }> => {
  const accessKeyId = !streams || tableSuffix === "" ? database.accessKeyId : newAccessKeyId();
  const tables = new AwsClient(database.endpoint, "dynamodb", accessKeyId);
  cleanup.defer(() => tables.close());
  const stated = streams ? deployment.tables : deployment.tables.map(withoutStream);
  const created = await createTables(tables, stated);
  if (tableSuffix !== "") cleanup.defer(() => deleteTables(tables, created));
  return { tables, accessKeyId };
};
