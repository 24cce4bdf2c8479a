/**
 * The deployed service around a store in memory: the functions that HTTP calls, queues, streams and the clock
 * begin, each call of one an actor of its own that can die.
 */
import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import { type SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { DynamoDBRecord, SQSRecord } from "aws-lambda";
import { stream as publishEvents } from "../../functions/events/publish-events.ts";
import { worker as applyRecount } from "../../functions/jobs/apply-recount.ts";
import { worker as applyRevert } from "../../functions/jobs/apply-revert.ts";
import { worker as applyWeight } from "../../functions/jobs/apply-weight.ts";
import { schedule as resumeSagas } from "../../functions/jobs/resume-sagas.ts";
import { schedule as rollUpCounters } from "../../functions/jobs/roll-up-counters.ts";
import { schedule as sweepJobs } from "../../functions/jobs/sweep-jobs.ts";
import type { Schedule } from "../../shared/jobs/schedule.ts";
import { sendTexts } from "../../shared/jobs/send.ts";
import { applyBatch, type Worker } from "../../shared/jobs/worker.ts";
import { maxDeliveries, queueVariable } from "../../shared/lambda/contract.ts";
import { connect, type Database } from "../../shared/store/dynamodb/database.ts";
import { deploymentOf } from "../../shared/store/layouts/deployment.ts";
import { firstLayout } from "../../shared/store/layouts/layouts.ts";
import { type TableName, tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { handleBatch } from "../../shared/streams/stream.ts";
import { type Faults, fateOf } from "./schedule/faults.ts";
import type { Random } from "./schedule/random.ts";
import { type Ending, runningScheduler, Scheduler, type Source } from "./schedule/scheduler.ts";
import type { Item } from "./store/expressions.ts";
import { MemoryStore, partOf, type StoredChange } from "./store/store.ts";

const variables = Object.fromEntries(tableNames.map((name) => [tableSchemas[name].variable, name]));

/** Milliseconds after which Lambda ends a function. */
const functionLimitMs = 29_000;
const workerLimitMs = 30_000;
const scheduleLimitMs = 50_000;

/** How long a received message stays hidden. */
const visibilityMs = 90_000;

const minute = 60_000;

/** The store that calls go to outside of a schedule, and the world of the schedule that is running. */
let base: MemoryStore = new MemoryStore();
const worlds = new WeakMap<Scheduler, World>();

const worldNow = (): World | undefined => {
  const scheduler = runningScheduler();
  return scheduler && worlds.get(scheduler);
};

/** Uses a store for what happens outside of a schedule. */
export const useStore = (store: MemoryStore): void => {
  base = store;
};

const forNetwork = [
  "endpointV2Middleware",
  "httpSigningMiddleware",
  "httpAuthSchemeMiddleware",
  "hostHeaderMiddleware",
  "contentLengthMiddleware",
  "accountIdEndpointMiddleware",
];

/** A connection whose calls end in the store in memory, below the SDK's retries. */
function connected(): Database {
  const credentials = { accessKeyId: "simulated", secretAccessKey: "simulated" };
  const db = connect(variables, { region: "us-east-1", credentials });
  // What prepares a call for the network has nothing to do here. The document client finds its place beside
  // the serializer.
  for (const name of forNetwork) db.client.middlewareStack.remove(name);
  db.client.middlewareStack.add((next) => next, {
    name: "serializerMiddleware",
    step: "serialize",
    override: true,
  });
  db.client.middlewareStack.add(
    (_next, context) =>
      async ({ input }) => {
        const command = String(context["commandName"]).replace(/Command$/, "");
        const world = worldNow();
        const output = world === undefined ? base.call(command, input) : await world.call(command, input);
        return { output, response: {} };
      },
    { step: "deserialize", name: "deserializerMiddleware", override: true },
  );
  return db;
}

const connection = connected();

/** A connection as a new instance of a function has it. */
export const newConnection = (): Database => ({
  ...connection,
  hotKeys: new Set(),
  layouts: deploymentOf(firstLayout, async () => undefined),
});

interface Message {
  readonly id: number;
  readonly body: string;
  visibleAt: number;
  receives: number;
}

/** The changes of a shard that are not handled yet. */
interface Shard {
  readonly table: TableName;
  readonly changes: { readonly change: StoredChange; readonly at: number }[];
  isBusy: boolean;
  retryAt: number;
  /** The most changes of the next batch: halved when one fails. */
  size: number;
}

type Batch = (
  records: readonly SQSRecord[],
  environment: Parameters<typeof applyBatch>[2],
) => ReturnType<typeof applyBatch>;

const batchOf =
  <P>(worker: Worker<P>): Batch =>
  (records, environment) =>
    applyBatch(worker, records, environment);

const workers = {
  recount: batchOf(applyRecount),
  revert: batchOf(applyRevert),
  weight: batchOf(applyWeight),
};
const queueNames = ["recount", "revert", "weight"] as const;
type Queued = (typeof queueNames)[number];

/** Shards of each table's stream. */
const shardsOfTable = 2;

export class World {
  readonly store: MemoryStore;
  readonly scheduler: Scheduler;
  readonly random: Random;
  faults: Faults;
  /** Messages that failed too often. */
  readonly deadLetters: string[] = [];
  readonly #queues: Readonly<Record<string, Message[]>>;
  readonly #shards: readonly Shard[];
  #messages = 0;
  #running = 0;
  readonly #nextRuns = new Map<Schedule, number>();

  constructor(
    store: MemoryStore,
    random: Random,
    {
      now,
      faults,
      tells = false,
    }: { readonly now: number; readonly faults: Faults; readonly tells?: boolean },
  ) {
    this.store = store;
    this.random = random;
    this.faults = faults;
    this.#queues = Object.fromEntries([...queueNames, "webhooks"].map((name) => [name, []]));
    this.#shards = tableNames
      .filter((name) => publishEvents.changesOf[name] !== undefined)
      .flatMap((table) =>
        Array.from(
          { length: shardsOfTable },
          (): Shard => ({ table, changes: [], isBusy: false, retryAt: 0, size: 100 }),
        ),
      );
    for (const schedule of [resumeSagas, rollUpCounters, sweepJobs])
      this.#nextRuns.set(schedule, now + random.below(schedule.everyMinutes * minute));
    this.scheduler = new Scheduler(random, now, this.#sources(), tells);
    worlds.set(this.scheduler, this);
    this.#feed(0);
  }

  /** Whether everything is done that functions have to do by themselves. */
  get isQuiet(): boolean {
    return (
      this.store.table("jobs").isIndexEmpty("queued") &&
      this.#running === 0 &&
      queueNames.every((name) => this.#queues[name]?.length === 0) &&
      this.#shards.every(({ changes }) => changes.length === 0)
    );
  }

  /** Has all indexes take in what they have not yet. */
  settleIndexes(): void {
    for (const name of tableNames) {
      const table = this.store.table(name);
      for (const index of Object.keys(table.schema.indexes)) table.advance(index, table.lag(index));
    }
  }

  /** Runs a function. Others see only how it ends. */
  async function<T>(
    name: string,
    work: (db: Database) => Promise<T>,
    limitMs = functionLimitMs,
  ): Promise<Ending<T>> {
    this.#running += 1;
    const ending = await this.scheduler.begin(name, () => work(newConnection()), limitMs);
    this.#running -= 1;
    return ending;
  }

  /** A call of the running actor to the store. */
  async call(
    command: string,
    input: Parameters<MemoryStore["call"]>[1],
  ): Promise<ReturnType<MemoryStore["call"]>> {
    await this.scheduler.turn(command);
    const fate = fateOf(this.random, this.faults);
    const isWrite = /^(?:Put|Update|Delete|Transact)/.test(command);
    this.scheduler.note(() => `${command}${fate === "go" ? "" : ` ${fate}`} ${isWrite ? textOf(input) : ""}`);
    switch (fate) {
      case "throttle":
        throw new ProvisionedThroughputExceededException({ message: "throttled", $metadata: {} });
      case "conflict":
        if (command === "TransactWriteItems") throw conflict();
        if (isWrite) throw new TransactionConflictException({ message: "conflict", $metadata: {} });
        break;
      case "fail":
        throw new InternalServerError({ message: "failed", $metadata: { httpStatusCode: 500 } });
      case "die-before":
        return this.scheduler.die();
      default:
    }
    this.#catchUp(input);
    const before = this.store.changes.length;
    const output = this.store.call(command, input);
    this.#feed(before);
    if (fate === "die-after") return this.scheduler.die();
    // The answer comes when the actor's turn comes: others may go on first.
    await this.scheduler.turn("answer");
    if (fate === "lose-response") throw Object.assign(new Error("socket hang up"), { name: "TimeoutError" });
    return output;
  }

  /** A global index takes in what it has not yet, sooner or later. */
  #catchUp(input: Parameters<MemoryStore["call"]>[1]): void {
    if (!("IndexName" in input) || input.IndexName === undefined) return;
    const table = this.store.table(input.TableName ?? "");
    const lag = table.lag(input.IndexName);
    table.advance(input.IndexName, this.random.happens(0.5) ? lag : this.random.below(lag + 1));
  }

  /** Hands the changes of a call to the shards of the streams. */
  #feed(from: number): void {
    for (const change of this.store.changes.slice(from)) {
      const own = this.#shards.filter(({ table }) => table === change.table);
      const shard = own[partOf(change.key.pk, shardsOfTable)];
      if (shard !== undefined && isWanted(change)) shard.changes.push({ change, at: this.scheduler.now });
    }
  }

  async send(queue: string, bodies: readonly string[]): Promise<void> {
    await this.scheduler.turn(`send ${queue}`);
    const fate = fateOf(this.random, this.faults);
    this.scheduler.note(() => `send ${bodies.length} to ${queue}${fate === "go" ? "" : ` ${fate}`}`);
    if (fate === "die-before") return this.scheduler.die();
    if (fate === "throttle" || fate === "fail" || fate === "conflict")
      throw new Error("the queue does not answer");
    for (const body of bodies)
      this.#queues[queue]?.push({ id: ++this.#messages, body, visibleAt: this.scheduler.now, receives: 0 });
    if (fate === "die-after") return this.scheduler.die();
    if (fate === "lose-response") throw new Error("socket hang up");
  }

  #sources(): readonly Source[] {
    return [
      ...queueNames.map(
        (name): Source => ({
          name,
          dueAt: () => this.#messageDue(name),
          begin: () => void this.#deliver(name),
        }),
      ),
      ...this.#shards.map(
        (shard): Source => ({
          name: shard.table,
          dueAt: () => (shard.isBusy || shard.changes.length === 0 ? undefined : shard.retryAt),
          begin: () => void this.#publish(shard),
        }),
      ),
      ...[...this.#nextRuns.keys()].map(
        (schedule): Source => ({
          name: "clock",
          dueAt: () => this.#nextRuns.get(schedule),
          begin: () => void this.#runSchedule(schedule),
        }),
      ),
    ];
  }

  #messageDue(name: string): number | undefined {
    const times = this.#queues[name]?.map(({ visibleAt }) => visibleAt) ?? [];
    return times.length === 0 ? undefined : Math.min(...times);
  }

  async #deliver(name: Queued): Promise<void> {
    const { now } = this.scheduler;
    const visible = (this.#queues[name] ?? []).filter(({ visibleAt }) => visibleAt <= now);
    const batch = visible.slice(0, 1 + this.random.below(10));
    for (const message of batch) {
      message.visibleAt = now + visibilityMs;
      message.receives += 1;
      if (message.receives > maxDeliveries) this.#drop(name, message, true);
    }
    const records = batch.filter(({ receives }) => receives <= maxDeliveries).map(recordOf);
    const until = this.scheduler.now + workerLimitMs;
    const remaining = () => until - this.scheduler.now;
    const ending = await this.function(
      `worker ${name}`,
      (db) => workers[name](records, { db, remaining, sendTexts }),
      workerLimitMs,
    );
    if (ending.kind !== "returned") return;
    const failed = new Set(ending.value.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const message of batch) {
      if (failed.has(String(message.id))) message.visibleAt = this.scheduler.now;
      // Now and then a message is delivered again though it was handled.
      else if (!this.random.happens(this.faults["die-after"])) this.#drop(name, message, false);
    }
  }

  #drop(name: string, message: Message, isDead: boolean): void {
    const queue = this.#queues[name] ?? [];
    const place = queue.indexOf(message);
    if (place >= 0) queue.splice(place, 1);
    if (isDead) this.deadLetters.push(message.body);
  }

  async #publish(shard: Shard): Promise<void> {
    shard.isBusy = true;
    const batch = shard.changes.slice(0, shard.size);
    const records = batch.map(({ change, at }) => streamRecordOf(change, at));
    const until = this.scheduler.now + scheduleLimitMs;
    const ending = await this.function(
      `publisher ${shard.table}`,
      (db) =>
        handleBatch(publishEvents, records, { db, variables, remaining: () => until - this.scheduler.now }),
      scheduleLimitMs,
    );
    shard.isBusy = false;
    const failed = ending.kind === "returned" ? ending.value.batchItemFailures[0]?.itemIdentifier : "all";
    if (failed === undefined && !this.random.happens(this.faults["die-after"])) {
      shard.changes.splice(0, batch.length);
      shard.size = 100;
      return;
    }
    const handled = batch.findIndex(({ change }) => String(change.sequence) === failed);
    shard.changes.splice(0, Math.max(0, handled));
    shard.size = Math.max(1, Math.ceil(batch.length / 2));
    shard.retryAt = this.scheduler.now + 500;
  }

  async #runSchedule(schedule: Schedule): Promise<void> {
    const { now } = this.scheduler;
    this.#nextRuns.set(schedule, now + schedule.everyMinutes * minute);
    const until = now + scheduleLimitMs;
    await this.function(
      "schedule",
      (db) =>
        schedule.run({ db, now: new Date(now).toISOString(), remaining: () => until - this.scheduler.now }),
      scheduleLimitMs,
    );
  }
}

const textOf = (input: object): string => JSON.stringify(input).slice(0, 400);

function isWanted({ table, key, after }: StoredChange): boolean {
  const prefixes = publishEvents.changesOf[table] ?? [];
  const where = Object.entries(publishEvents.changesWhere?.[table] ?? {});
  return (
    prefixes.some((prefix) => key.pk.startsWith(prefix)) &&
    where.every(([name, text]) => after?.[name]?.S === text)
  );
}

const conflict = (): TransactionCanceledException =>
  new TransactionCanceledException({
    message: "Transaction cancelled",
    $metadata: {},
    CancellationReasons: [{ Code: "TransactionConflict" }],
  });

const recordOf = ({ id, body, receives }: Message): SQSRecord => ({
  messageId: String(id),
  receiptHandle: String(id),
  body,
  attributes: {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: "0",
    SenderId: "simulated",
    ApproximateFirstReceiveTimestamp: "0",
  },
  messageAttributes: {},
  md5OfBody: "",
  eventSource: "aws:sqs",
  eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:simulated",
  awsRegion: "us-east-1",
});

type Image = NonNullable<NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"]>;

/** An item as JSON, which carries bytes as base64. */
const imageOf = (item: Item): Image =>
  JSON.parse(
    JSON.stringify(item, (_name, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    ),
  );

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

/** Has the queues of the world that is running take what the service sends. */
export function installQueues(): void {
  for (const name of [...queueNames, "webhooks"]) process.env[queueVariable(name)] = name;
  Object.assign(process.env, { AWS_REGION: "us-east-1" });
  Object.assign(SQSClient.prototype, {
    send: async ({ input: { QueueUrl = "", Entries = [] } }: SendMessageBatchCommand) => {
      const bodies = Entries.map(({ MessageBody = "" }) => MessageBody);
      await worldNow()?.send(QueueUrl, bodies);
      return {};
    },
  });
}
