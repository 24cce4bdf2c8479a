import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { buildApp, startFauxqs } from "fauxqs";
import type { QueueDefinition } from "../assembly/queues.ts";
import { type AwsClient, errorCode } from "../aws-client.ts";
import { awsEnvironment } from "../aws-environment.ts";
import { loopback } from "../ports.ts";
import { LocalProblem } from "../problem.ts";

interface QueueServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts the queue server in this process.
 *
 * The in-memory variant listens on this machine only. The variant that keeps messages on disk always listens
 * on all interfaces.
 */
export const startQueueServer = async (dataDir: string | undefined): Promise<QueueServer> => {
  const options = { logger: false, host: "localhost", defaultRegion: awsEnvironment.region };
  if (dataDir === undefined) {
    const app = buildApp(options);
    return { endpoint: await app.listen({ port: 0, host: loopback }), stop: async () => app.close() };
  }
  const folder = resolve(dataDir, "queues");
  mkdirSync(folder, { recursive: true });
  const server = await startFauxqs({ ...options, port: 0, dataDir: folder });
  return { endpoint: `http://${loopback}:${server.port}`, stop: async () => server.stop() };
};

/**
 * Creates the queues, or updates those kept on disk. Queues are created without attributes, which are set
 * afterwards, because the queue server rejects the creation of an existing queue with other attributes.
 */
export const createQueues = async (client: AwsClient, queues: readonly QueueDefinition[]): Promise<void> => {
  for (const { name } of queues) await send(client, "CreateQueue", { QueueName: name });
  for (const { url, attributes, redrive } of queues) {
    const Attributes = { ...attributes, ...(redrive && { RedrivePolicy: JSON.stringify(redrive) }) };
    await send(client, "SetQueueAttributes", { QueueUrl: url, Attributes });
  }
};

/** Removes all messages, including those in flight. */
export const emptyQueues = async (client: AwsClient, queues: readonly QueueDefinition[]): Promise<void> => {
  for (const { url } of queues) await send(client, "PurgeQueue", { QueueUrl: url });
};

const send = async (client: AwsClient, operation: string, input: object): Promise<void> => {
  const code = errorCode(await client.send(operation, input));
  if (code !== undefined)
    throw new LocalProblem(`${operation} failed with ${code} for ${JSON.stringify(input)}.`);
};
