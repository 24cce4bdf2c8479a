/** A deployment in the emulator of AWS that `npm run rehearse -- --tests` hands to the tests. */
import { setTimeout as sleep } from "node:timers/promises";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import type { Deployed } from "./service.ts";

/** The environment variable that holds such a deployment as JSON. */
export const rehearsedVariable = "REHEARSED_DEPLOYMENT";

const deployment = z.object({
  url: z.string(),
  /** What SDK clients need to reach the emulator. */
  client: z.object({
    endpoint: z.string(),
    region: z.string(),
    credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  }),
  /** Names of tables by their variables, and addresses of queues. */
  tables: z.record(z.string(), z.string()),
  queues: z.array(z.string()),
});
export type Rehearsed = z.output<typeof deployment>;

/** Milliseconds between two looks at the queues. */
const pauseMs = 100;

/** The deployment that the environment names, if any. */
export function rehearsed(): Deployed | undefined {
  const stated = process.env[rehearsedVariable];
  if (stated === undefined) return undefined;
  const { url, client, tables, queues } = deployment.parse(JSON.parse(stated));
  const sqs = new SQSClient(client);
  return {
    url,
    connect: () => connect(tables, client),
    settled: async () => {
      while ((await Promise.all(queues.map((queue) => messagesIn(sqs, queue)))).some((count) => count > 0))
        await sleep(pauseMs);
    },
    // The emulator has no way to hold calls back until all are there.
    meet: async () => undefined,
  };
}

/** Messages that wait or are being worked on. A message is in flight until its worker has ended. */
async function messagesIn(sqs: SQSClient, QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }),
  );
  return (
    Number(Attributes["ApproximateNumberOfMessages"] ?? 0) +
    Number(Attributes["ApproximateNumberOfMessagesNotVisible"] ?? 0) +
    Number(Attributes["ApproximateNumberOfMessagesDelayed"] ?? 0)
  );
}
