import * as z from "zod";
import { type AwsClient, errorCode } from "../../aws-client.ts";
import { type StreamRecord, streamRecord } from "./records.ts";

const shard = z.object({ ShardId: z.string(), ParentShardId: z.string().optional() });

const description = z.object({
  StreamDescription: z.object({
    Shards: z.array(shard),
    LastEvaluatedShardId: z.string().optional(),
  }),
});

const table = z.object({ Table: z.object({ LatestStreamArn: z.string() }) });
const iterator = z.object({ ShardIterator: z.string() });
const read = z.object({ Records: z.array(streamRecord), NextShardIterator: z.string().optional() });

/** A part of a stream. A closed shard continues in its children, which must be read after it. */
export type Shard = z.infer<typeof shard>;

/** Thrown if the stream answers with an error. */
export class StreamError extends Error {
  readonly code: string;

  constructor(operation: string, code: string) {
    super(`${operation} failed with ${code}`);
    this.code = code;
  }
}

/** The result of a `GetRecords` call. Without `next`, the shard is closed and read to its end. */
export interface Read {
  readonly records: readonly StreamRecord[];
  readonly next: string | undefined;
}

/** The calls of a stream. */
export type StreamCalls = Pick<StreamClient, "streamOf" | "shards" | "iterator" | "read">;

/** Reads the streams of DynamoDB's tables. */
export class StreamClient {
  readonly #tables: AwsClient;
  readonly #streams: AwsClient;

  constructor(tables: AwsClient, streams: AwsClient) {
    this.#tables = tables;
    this.#streams = streams;
  }

  /** The name of the table's stream, which changes when the table is created again. */
  async streamOf(TableName: string): Promise<string> {
    const answer = await this.#tables.send("DescribeTable", { TableName });
    return table.parse(answer.body).Table.LatestStreamArn;
  }

  async shards(StreamArn: string): Promise<readonly Shard[]> {
    const shards: Shard[] = [];
    for (let ExclusiveStartShardId: string | undefined; ; ) {
      const { StreamDescription } = description.parse(
        await this.#ask("DescribeStream", { StreamArn, ExclusiveStartShardId }),
      );
      shards.push(...StreamDescription.Shards);
      ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
      if (ExclusiveStartShardId === undefined) return shards;
    }
  }

  /** Where to read from: after a record, or from the oldest record that the stream still has. */
  async iterator(StreamArn: string, ShardId: string, behind: string | undefined): Promise<string> {
    const from =
      behind === undefined
        ? { ShardIteratorType: "TRIM_HORIZON" }
        : { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: behind };
    return iterator.parse(await this.#ask("GetShardIterator", { StreamArn, ShardId, ...from })).ShardIterator;
  }

  async read(ShardIterator: string, Limit: number): Promise<Read> {
    const { Records, NextShardIterator } = read.parse(
      await this.#ask("GetRecords", { ShardIterator, Limit }),
    );
    return { records: Records, next: NextShardIterator };
  }

  async #ask(operation: string, input: object): Promise<unknown> {
    const answer = await this.#streams.send(operation, input);
    const code = errorCode(answer);
    if (code !== undefined) throw new StreamError(operation, code);
    return answer.body;
  }
}
