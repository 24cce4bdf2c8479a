import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { StreamContract } from "../lambda/contract.ts";
import { database } from "../lambda/database.ts";
import { beginHandler } from "../lambda/handler.ts";
import { logger } from "../lambda/log.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { Busy } from "../store/dynamodb/retry.ts";
import { type ItemChange, itemChangeOf } from "./change.ts";

/** What a consumer of changes is called with. */
export interface ChangeBatch {
  readonly db: Database;
  /** Changes of one table. Those of one item come in the order in which the item changed. */
  readonly changes: readonly ItemChange[];
  /** How long the run may still take, in milliseconds. */
  readonly remaining: () => number;
}

/**
 * States what is called with changes. `run` answers the figures for its log line. A change may be told again, also after
 * later ones. Where `run` throws, Lambda tells all of the batch again, later perhaps in smaller batches.
 */
export interface Stream extends StreamContract {
  readonly run: (batch: ChangeBatch) => Promise<Readonly<Record<string, number>>>;
}

/** Thrown where the changes before `first` are handled, and those from `first` on are not: Lambda tells these again. */
export class UnhandledChange extends Error {
  /** The id alone: the log shows what an error holds, and must show nothing of what is stored. */
  readonly change: string;

  constructor(first: ItemChange, cause: unknown) {
    super(`the change ${first.id} is not handled`, { cause });
    this.change = first.id;
  }
}

export const defineStream = (contract: Omit<StreamContract, "type">, run: Stream["run"]): Stream => ({
  ...contract,
  type: "stream",
  run,
});

/** The Lambda handler of a stream. */
export const streamLambda = (stream: Stream) =>
  beginHandler<DynamoDBStreamEvent, DynamoDBBatchResponse>().handler(async ({ Records }, context) => {
    const remaining = () => context.getRemainingTimeInMillis();
    return handleBatch(stream, Records, { db: await database(), variables: process.env, remaining });
  });

interface Surroundings extends Pick<ChangeBatch, "db" | "remaining"> {
  /** Where the names of tables are found. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Handles the changes of a batch.
 * @returns the first record that Lambda is to tell again, if the stream names one
 * @throws where none of the batch counts as handled
 */
export async function handleBatch(
  { run }: Pick<Stream, "run">,
  records: readonly DynamoDBRecord[],
  { db, variables, remaining }: Surroundings,
): Promise<DynamoDBBatchResponse> {
  try {
    const changes = records.map((record) => itemChangeOf(record, variables, db));
    const figures = await run({ db, changes, remaining });
    logger.info("changes handled", { changes: changes.length, ...figures });
    return { batchItemFailures: [] };
  } catch (error) {
    const named =
      error instanceof UnhandledChange ? records.find(({ eventID }) => eventID === error.change) : undefined;
    const { eventID, eventSourceARN, dynamodb } = named ?? records[0] ?? {};
    const fields = {
      error,
      source: eventSourceARN,
      first: eventID,
      sequence_number: dynamodb?.SequenceNumber,
      changes: records.length,
    };
    if (error instanceof Busy) logger.warn("changes not handled, as others hold what they change", fields);
    else logger.error("changes not handled", fields);
    const itemIdentifier = named?.dynamodb?.SequenceNumber;
    if (itemIdentifier === undefined) throw error;
    return { batchItemFailures: [{ itemIdentifier }] };
  }
}
