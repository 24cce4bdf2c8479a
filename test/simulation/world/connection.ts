/** How the service's calls to DynamoDB and SQS reach the world of the schedule that is running. */
import type { ServiceInputTypes, ServiceOutputTypes } from "@aws-sdk/client-dynamodb";
import { type SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { queueVariable } from "../../../shared/runtime/shared-names.ts";
import { connect, type Database, readDeploymentItem } from "../../../shared/store/dynamodb/database.ts";
import { deploymentOf } from "../../../shared/store/layouts/deployment.ts";
import { firstLayout } from "../../../shared/store/layouts/layouts.ts";
import { resumeSaga } from "../../../shared/store/sagas/saga.ts";
import { tableNames, tableSchemas } from "../../../shared/store/tables.ts";
import { runningScheduler, type Scheduler } from "../schedule/scheduler.ts";
import { sending } from "../store/client.ts";
import { MemoryStore } from "../store/store.ts";

/** What carries out the calls of a schedule's actors. */
export interface Network {
  readonly call: (command: string, input: ServiceInputTypes) => Promise<ServiceOutputTypes>;
  readonly send: (queue: string, bodies: readonly string[], delayMs: number) => Promise<void>;
}

/** Names the tables as the environment of a function does. */
export const variables = Object.fromEntries(tableNames.map((name) => [tableSchemas[name].variable, name]));

/** The store that calls go to outside of a schedule. */
let base: MemoryStore = new MemoryStore();
const networks = new WeakMap<Scheduler, Network>();

/** Has the calls of a scheduler's actors carried out by `network`. */
export const connectActors = (scheduler: Scheduler, network: Network): void => {
  networks.set(scheduler, network);
};

/** Uses a store for what happens outside of a schedule. */
export const useStore = (store: MemoryStore): void => {
  base = store;
};

const networkNow = (): Network | undefined => {
  const scheduler = runningScheduler();
  return scheduler && networks.get(scheduler);
};

/** A connection whose calls end in `call`, below the SDK's retries. */
export function connectionTo(call: Network["call"]): Database {
  const credentials = { accessKeyId: "simulated", secretAccessKey: "simulated" };
  const db = connect(variables, { region: "us-east-1", credentials });
  Object.assign(db.client, { send: sending(call) });
  return {
    ...db,
    resumeSaga,
    layouts: deploymentOf(firstLayout, (signal) => readDeploymentItem(db, signal)),
  };
}

const connection = connectionTo(
  async (command, input) => networkNow()?.call(command, input) ?? base.call(command, input),
);

/** A connection as a new instance of a function has it. */
export const newConnection = (): Database => ({
  ...connection,
  hotKeys: new Set(),
  layouts: deploymentOf(firstLayout, (signal) => readDeploymentItem(connection, signal)),
});

/** Has the queues of the world that is running take what the service sends. */
export function installQueues(names: readonly string[]): void {
  for (const name of names) process.env[queueVariable(name)] = name;
  Object.assign(process.env, { AWS_REGION: "us-east-1" });
  Object.assign(SQSClient.prototype, {
    send: async ({ input: { QueueUrl = "", Entries = [] } }: SendMessageBatchCommand) => {
      const bodies = Entries.map(({ MessageBody = "" }) => MessageBody);
      const delayMs = 1_000 * Math.max(0, ...Entries.map(({ DelaySeconds = 0 }) => DelaySeconds));
      await networkNow()?.send(QueueUrl, bodies, delayMs);
      return {};
    },
  });
}
