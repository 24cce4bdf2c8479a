/**
 * Consumers of changes. DynamoDB Streams delivers what changed in a table, in batches of up to 100 changes,
 * to functions that are defined here by `defineStream`. `changesOf` and `changesWhere` of the contract choose
 * the items; the event sources, permissions and alarms of the deployment derive from it.
 *
 * The changes of one item come in their order. A change may come again, also after later ones, and its `id`
 * stays the same, so a consumer must be idempotent. A batch that fails is delivered again, later in smaller
 * parts, and the changes behind it wait. After 23 hours its changes go to the dead-letter queue
 * (`infra/constructs/change-source.ts`). So a consumer fails only for a cause outside the changes, such as a
 * busy database, and sets a change aside that it can't handle. This folder knows no feature.
 */
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { StreamContract } from "../runtime/contract.ts";
import { database } from "../runtime/database.ts";
import { beginHandler } from "../runtime/handler.ts";
import { logger } from "../runtime/log.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { Busy } from "../store/dynamodb/retry.ts";
import { type ItemChange, itemChangeOf } from "./change.ts";

export interface ChangeBatch {
  readonly db: Database;
  /** Changes of one table. Changes of the same item are in order. */
  readonly changes: readonly ItemChange[];
  readonly remaining: () => number;
}

/** Handles a batch. @returns the figures for its log line @throws if Lambda shall deliver the batch again */
export type Consume = (batch: ChangeBatch) => Promise<Readonly<Record<string, number>>>;

/** A consumer. Each instance of its function begins one, which may remember what it has read. */
export interface Stream extends StreamContract {
  readonly begin: () => Consume;
}

export function defineStream(contract: Omit<StreamContract, "type">, begin: Stream["begin"]) {
  const stream: Stream = { ...contract, type: "stream", begin };
  return { stream, handler: streamHandler(stream) };
}

function streamHandler(stream: Stream) {
  const consume = stream.begin();
  return beginHandler<DynamoDBStreamEvent, DynamoDBBatchResponse>().handler(async ({ Records }, context) => {
    const remaining = () => context.getRemainingTimeInMillis();
    return handleBatch(consume, Records, { db: await database(), variables: process.env, remaining });
  });
}

type StreamEnvironment = Omit<ChangeBatch, "changes"> & { readonly variables: NodeJS.ProcessEnv };

/**
 * Handles a batch. If its items are busy, the batch is returned from its first change on, which does not
 * count as a failure of the function.
 * @throws if it failed for another reason, so that Lambda delivers it again
 */
export async function handleBatch(
  consume: Consume,
  records: readonly DynamoDBRecord[],
  { db, variables, remaining }: StreamEnvironment,
): Promise<DynamoDBBatchResponse> {
  try {
    const changes = records.map((record) => itemChangeOf(record, variables));
    const figures = await consume({ db, changes, remaining });
    logger.info("changes handled", { changes: changes.length, ...figures });
    return { batchItemFailures: [] };
  } catch (error) {
    const { eventID, eventSourceARN, dynamodb } = records[0] ?? {};
    const fields = {
      error,
      source: eventSourceARN,
      first: eventID,
      sequence_number: dynamodb?.SequenceNumber,
      changes: records.length,
    };
    const first = dynamodb?.SequenceNumber;
    if (error instanceof Busy && first !== undefined) {
      logger.warn("changes not handled: their items are busy", fields);
      return { batchItemFailures: [{ itemIdentifier: first }] };
    }
    logger.error("changes not handled", fields);
    throw error;
  }
}
