import type { RuntimeOptions, Tuning } from "./api.ts";
import type { Deployment } from "./assembly/deployment.ts";
import type { Addresses } from "./assembly/intrinsics/references.ts";
import { withVisibility } from "./assembly/queues.ts";
import { Cleanup } from "./cleanup.ts";
import type { Database } from "./data/dynamodb.ts";
import type { EventSources } from "./events/sources.ts";
import type { Fleet } from "./functions/fleet.ts";
import { type OpenProxy, type OpenQueues, openSources, openStreams, openTables } from "./parts.ts";
import { createQueues } from "./queues/server.ts";

/** What all sessions of a runtime share. */
export interface Common {
  readonly deployment: Deployment;
  readonly addresses: Addresses;
  readonly database: Database;
  readonly fleet: Fleet;
  readonly open: OpenProxy;
  readonly queues: OpenQueues;
  readonly options: Pick<RuntimeOptions, "dataDir">;
}

/**
 * One life of the tables, from empty tables to the next empty ones, with the event sources of tables and
 * queues.
 */
export interface Session {
  readonly sources: EventSources;
  /** Whose tables they are: see `Database`. */
  readonly accessKeyId: string;
  /** Whether tables of an earlier start were found. */
  readonly kept: boolean;
  /** Ends what the session began; tables that are not kept are deleted. */
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
  { deployment: synthesized, addresses, database, fleet, open, queues, options }: Common,
  { visibilityTimeoutSeconds, streams }: Tuning,
  cleanup: Cleanup,
): Promise<Omit<Session, "end">> => {
  const tuned = synthesized.queues.map((queue) => withVisibility(queue, visibilityTimeoutSeconds));
  const deployment = { ...synthesized, queues: tuned };
  await createQueues(queues.client, tuned);
  const tables = await openTables(deployment, database, addresses, { streams }, cleanup);
  const streamSources = openStreams(deployment, fleet, tables, { ...options, streams }, cleanup);
  const { accessKeyId, kept } = tables;
  return { sources: openSources(deployment, fleet, queues, open, streamSources, cleanup), accessKeyId, kept };
};
