/** Records of a stream, and a stream that consists of them. */
import type { Read, Shard, StreamCalls } from "../../../../infra/local/events/streams/client.ts";
import { StreamError } from "../../../../infra/local/events/streams/client.ts";
import type { StreamRecord } from "../../../../infra/local/events/streams/records.ts";

export const recordOf = (number: number, more: Partial<StreamRecord["dynamodb"]> = {}): StreamRecord => ({
  eventID: `event-${number}`,
  eventName: "MODIFY",
  eventVersion: "1.1",
  dynamodb: {
    ApproximateCreationDateTime: 1_800_000_000,
    Keys: { pk: { S: `item#${number}` }, sk: { S: "-" } },
    SequenceNumber: String(number).padStart(21, "0"),
    SizeBytes: 10,
    StreamViewType: "NEW_AND_OLD_IMAGES",
    ...more,
  },
});

export const numbersOf = (records: readonly StreamRecord[]): readonly number[] =>
  records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));

/** A shard of a stream: its records by their numbers. */
export interface FakeShard {
  readonly parent?: string;
  readonly records: number[];
  isClosed?: boolean;
}

/**
 * A stream as DynamoDB would read it. An iterator is the shard and the number that it reads from. Records
 * before `trimmedTo` are gone; with `expires`, the next iterator that is used has become too old.
 */
export class FakeStream implements StreamCalls {
  readonly shardsById: Record<string, FakeShard>;
  arn = "stream-1";
  trimmedTo = 0;
  expires = false;

  constructor(shards: Record<string, FakeShard>) {
    this.shardsById = shards;
  }

  async streamOf(): Promise<string> {
    return this.arn;
  }

  async shards(): Promise<readonly Shard[]> {
    return Object.entries(this.shardsById).map(([ShardId, { parent: ParentShardId }]) => ({
      ShardId,
      ParentShardId,
    }));
  }

  async iterator(_stream: string, shard: string, behind: string | undefined): Promise<string> {
    return `${shard}|${behind === undefined ? this.trimmedTo : Number(behind) + 1}`;
  }

  async read(iterator: string, limit: number): Promise<Read> {
    const [id = "", from = ""] = iterator.split("|");
    const shard = this.shardsById[id];
    if (shard === undefined) throw new StreamError("GetRecords", "ResourceNotFoundException");
    if (this.expires) {
      this.expires = false;
      throw new StreamError("GetRecords", "ExpiredIteratorException");
    }
    if (Number(from) < this.trimmedTo) throw new StreamError("GetRecords", "TrimmedDataAccessException");
    const behind = shard.records.filter((number) => number >= Number(from));
    const found = behind.slice(0, limit);
    const next = `${id}|${(found.at(-1) ?? Number(from) - 1) + 1}`;
    const isOver = shard.isClosed === true && found.length === behind.length;
    return { records: found.map((number) => recordOf(number)), next: isOver ? undefined : next };
  }
}
