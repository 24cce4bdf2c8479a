/** The shards of the tables' streams, with the changes that are not handled yet. */
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { DynamoDBBatchResponse, DynamoDBRecord } from "aws-lambda";
import { type TableName, tableNames } from "../../../shared/store/tables.ts";
import type { Stream } from "../../../shared/streams/stream.ts";
import type { Item } from "../store/expressions.ts";
import { partOf, type StoredChange } from "../store/store.ts";

/** Shards of each table's stream. */
const shardsOfTable = 2;

/** The most changes of a batch, and how long a failed one waits. */
const batchSize = 100;
const retryMs = 500;

export class Shard {
  readonly table: TableName;
  /** The consumer of its changes. */
  readonly stream: Stream;
  readonly #changes: { readonly change: StoredChange; readonly at: number }[] = [];
  #isBusy = false;
  #retryAt = 0;
  /** The most changes of the next batch: halved when one fails. */
  #size = batchSize;
  #taken = 0;

  constructor(table: TableName, stream: Stream) {
    this.table = table;
    this.stream = stream;
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  get dueAt(): number | undefined {
    return this.#isBusy || this.isEmpty ? undefined : this.#retryAt;
  }

  add(change: StoredChange, at: number): void {
    this.#changes.push({ change, at });
  }

  /** The next batch. No other is taken until `settle`. */
  take(): readonly DynamoDBRecord[] {
    this.#isBusy = true;
    const batch = this.#changes.slice(0, this.#size);
    this.#taken = batch.length;
    return batch.map(({ change, at }) => streamRecordOf(change, at));
  }

  /** Gives up the batch, so that its changes are taken once more while its run goes on. */
  deliverAgain(): void {
    this.#isBusy = false;
  }

  /** Ends a batch. Without an answer the whole of it is delivered again, in smaller parts. */
  settle(answer: DynamoDBBatchResponse | undefined, now: number): void {
    this.#isBusy = false;
    const failed = answer === undefined ? "all" : answer.batchItemFailures[0]?.itemIdentifier;
    const handled =
      failed === undefined
        ? this.#taken
        : this.#changes.findIndex(({ change }) => String(change.sequence) === failed);
    this.#changes.splice(0, Math.max(0, handled));
    this.#size = failed === undefined ? batchSize : Math.max(1, Math.ceil(this.#taken / 2));
    if (failed !== undefined) this.#retryAt = now + retryMs;
  }
}

/** The shards of all tables whose changes a consumer takes. */
export class Streams {
  readonly shards: readonly Shard[];
  readonly #stream: Stream;

  constructor(stream: Stream) {
    this.#stream = stream;
    this.shards = tableNames
      .filter((name) => stream.changesOf[name] !== undefined)
      .flatMap((table) => Array.from({ length: shardsOfTable }, () => new Shard(table, stream)));
  }

  add(changes: readonly StoredChange[], at: number): void {
    for (const change of changes) {
      const own = this.shards.filter(({ table }) => table === change.table);
      if (isWanted(this.#stream, change)) own[partOf(change.key.pk, shardsOfTable)]?.add(change, at);
    }
  }
}

/** Whether the event source of a consumer lets a change pass. */
function isWanted({ changesOf, changesWhere }: Stream, { table, key, after }: StoredChange): boolean {
  const prefixes = changesOf[table] ?? [];
  const where = Object.entries(changesWhere?.[table] ?? {});
  return (
    prefixes.some((prefix) => key.pk.startsWith(prefix)) &&
    where.every(([name, text]) => after?.[name]?.S === text)
  );
}

type Image = NonNullable<NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"]>;

/** An item as the JSON of a stream has it, which carries bytes as base64. */
const imageOf = (item: Item): Image =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, imageValue(value)]));

function imageValue(value: AttributeValue): Image[string] {
  if (value.B !== undefined) return { B: Buffer.from(value.B).toString("base64") };
  if (value.L !== undefined) return { L: value.L.map(imageValue) };
  if (value.M !== undefined) return { M: imageOf(value.M) };
  if (value.S !== undefined) return { S: value.S };
  if (value.N !== undefined) return { N: value.N };
  return value.BOOL === undefined ? { NULL: true } : { BOOL: value.BOOL };
}

const streamRecordOf = (
  { sequence, table, key, before, after }: StoredChange,
  at: number,
): DynamoDBRecord => ({
  eventID: `change-${sequence}`,
  eventSourceARN: `arn:aws:dynamodb:us-east-1:000000000000:table/${table}/stream/simulated`,
  dynamodb: {
    Keys: { pk: { S: key.pk }, sk: { S: key.sk } },
    SequenceNumber: String(sequence),
    ApproximateCreationDateTime: Math.floor(at / 1000),
    ...(before && { OldImage: imageOf(before) }),
    ...(after && { NewImage: imageOf(after) }),
  },
});
