/**
 * The deployed service around a store in memory: the functions that HTTP calls, queues, streams and the clock
 * begin, each call of one an actor of its own that can die.
 */
import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import { stream as publishEvents } from "../../../functions/events/publish-events.ts";
import { stream as totalMovements } from "../../../functions/events/total-movements.ts";
import { worker as applyRecount } from "../../../functions/jobs/apply-recount.ts";
import { worker as applyRevert } from "../../../functions/jobs/apply-revert.ts";
import { worker as applyWeight } from "../../../functions/jobs/apply-weight.ts";
import { schedule as resumeSagas } from "../../../functions/jobs/resume-sagas.ts";
import { schedule as rollUpCounters } from "../../../functions/jobs/roll-up-counters.ts";
import { dispatchAll } from "../../../functions/jobs/send-webhooks.ts";
import { schedule as sweepJobs } from "../../../functions/jobs/sweep-jobs.ts";
import { schedule as wakeWaiting } from "../../../functions/jobs/wake-webhooks.ts";
import { applyMessages, type Worker } from "../../../shared/jobs/worker.ts";
import type { Schedule } from "../../../shared/runtime/schedule.ts";
import { sendTexts } from "../../../shared/runtime/send-messages.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { tableNames } from "../../../shared/store/tables.ts";
import { type Consume, handleBatch } from "../../../shared/streams/stream.ts";
import { wakeWebhooks } from "../../../shared/webhooks/sending/queue.ts";
import { type Faults, fateOf } from "../schedule/faults.ts";
import type { Random } from "../schedule/random.ts";
import { type Ending, type Fate, Scheduler, type Source } from "../schedule/scheduler.ts";
import type { MemoryStore } from "../store/store.ts";
import { connectActors, newConnection, variables } from "./connection.ts";
import { Queue } from "./queues.ts";
import { Receiver } from "./receiver.ts";
import { type Shard, Streams } from "./shards.ts";

/** Milliseconds after which Lambda ends a function. */
const functionLimitMs = 29_000;
const workerLimitMs = 30_000;
const scheduleLimitMs = 50_000;

/** Time left of a sender's run below which no batch begins, as in `send-webhooks.ts`. */
const minSenderMs = 15_000;

const minute = 60_000;

type Batch = (
  world: World,
  records: readonly SQSRecord[],
  environment: { readonly db: Database; readonly remaining: () => number },
) => Promise<SQSBatchResponse>;

const batchOf =
  <P>(worker: Worker<P>): Batch =>
  (_world, records, environment) =>
    applyMessages(worker, records, { ...environment, sendTexts });

/** Sends what webhooks wait for to the world's receiver. */
const dispatch: Batch = (world, records, { db, remaining }) =>
  dispatchAll(records, {
    db,
    post: (url, { body }) => world.receiver.post(world, url, body),
    clock: Date.now,
    hasTime: () => remaining() > minSenderMs,
    wakeAgain: (webhook, delayMs) => wakeWebhooks([webhook], delayMs),
  });

const workers = {
  recount: batchOf(applyRecount),
  revert: batchOf(applyRevert),
  weight: batchOf(applyWeight),
  webhook: dispatch,
};
export const queueNames = ["recount", "revert", "weight", "webhook"] as const;
type Queued = (typeof queueNames)[number];

const schedules = [resumeSagas, rollUpCounters, sweepJobs, wakeWaiting];

interface Options {
  readonly now: number;
  readonly faults: Faults;
  /** Whether runs of the publisher are taken for lost now and then. */
  readonly losesRuns?: boolean;
  /** Whether movements get running totals. */
  readonly totals?: boolean;
  readonly tells?: boolean;
}

export class World {
  readonly store: MemoryStore;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly receiver = new Receiver();
  faults: Faults;
  /** How many calls had a fault. */
  injected = 0;
  readonly #queues: Readonly<Record<Queued, Queue>> = {
    recount: new Queue(),
    revert: new Queue(),
    weight: new Queue(),
    webhook: new Queue(),
  };
  readonly #streams: readonly Streams[];
  /** The instance that consumes each shard. */
  readonly #consumers = new Map<Shard, Consume>();
  #running = 0;
  readonly #nextRuns = new Map<Schedule, number>();
  readonly #losesRuns: boolean;

  constructor(
    store: MemoryStore,
    random: Random,
    { now, faults, losesRuns = false, totals = false, tells = false }: Options,
  ) {
    this.store = store;
    this.random = random;
    this.faults = faults;
    this.#losesRuns = losesRuns;
    this.#streams = [publishEvents, ...(totals ? [totalMovements] : [])].map((stream) => new Streams(stream));
    for (const schedule of schedules)
      this.#nextRuns.set(schedule, now + random.below(schedule.everyMinutes * minute));
    this.scheduler = new Scheduler(random, now, this.#sources(), tells);
    connectActors(this.scheduler, this);
    this.#feed(0);
  }

  /** Whether everything is done that functions have to do by themselves. */
  get isQuiet(): boolean {
    return (
      this.#running === 0 &&
      queueNames.every((name) => this.#queues[name].isEmpty) &&
      this.#shards.every((shard) => shard.isEmpty) &&
      this.store.table("jobs").isIndexEmpty("queued") &&
      areDelivered(this.store)
    );
  }

  get deadLetters(): readonly string[] {
    return queueNames.flatMap((name) => this.#queues[name].deadLetters);
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

  /** What happens to a call of the running actor. */
  fate(what: (fate: Fate) => string): Fate {
    const fate = fateOf(this.random, this.faults);
    if (fate !== "go") this.injected += 1;
    this.scheduler.note(() => what(fate));
    return fate;
  }

  /** A call of the running actor to the store. */
  async call(command: string, input: ServiceInputTypes): Promise<ServiceOutputTypes> {
    await this.scheduler.turn(command);
    const isWrite = /^(?:Put|Update|Delete|Transact)/.test(command);
    const fate = this.fate(
      (drawn) => `${command}${drawn === "go" ? "" : ` ${drawn}`} ${isWrite ? textOf(input) : ""}`,
    );
    switch (fate) {
      case "throttle":
        throw new ProvisionedThroughputExceededException({ message: "throttled", $metadata: {} });
      case "conflict":
        if (this.store.isCarriedOut(clientTokenOf(input))) break;
        if (command === "TransactWriteItems") throw conflict(input, this.random);
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
    // The SDK's client adds `$metadata` to every error that it ends a call with.
    if (fate === "lose-response")
      throw Object.assign(new Error("socket hang up"), { name: "TimeoutError", $metadata: {} });
    return output;
  }

  /** A global index takes in what it has not yet, sooner or later. */
  #catchUp(input: ServiceInputTypes): void {
    if (!("IndexName" in input) || input.IndexName === undefined) return;
    const table = this.store.table(input.TableName ?? "");
    const lag = table.lag(input.IndexName);
    table.advance(input.IndexName, this.random.happens(0.5) ? lag : this.random.below(lag + 1));
  }

  /** Hands the changes of a call to the streams. */
  #feed(from: number): void {
    for (const streams of this.#streams) streams.add(this.store.changes.slice(from), this.scheduler.now);
  }

  get #shards(): readonly Shard[] {
    return this.#streams.flatMap(({ shards }) => shards);
  }

  async send(queue: string, bodies: readonly string[], delayMs: number): Promise<void> {
    const to = queueNames.find((name) => name === queue);
    if (to === undefined) throw new Error(`there is no queue ${queue}`);
    await this.scheduler.turn(`send ${queue}`);
    const fate = this.fate(
      (drawn) => `send ${bodies.length} to ${queue}${drawn === "go" ? "" : ` ${drawn}`}`,
    );
    if (fate === "die-before") return this.scheduler.die();
    if (fate === "throttle" || fate === "fail" || fate === "conflict")
      throw new Error("the queue does not answer");
    for (const body of bodies) this.#queues[to].add(body, this.scheduler.now + delayMs);
    if (fate === "die-after") return this.scheduler.die();
    if (fate === "lose-response") throw new Error("socket hang up");
  }

  #sources(): readonly Source[] {
    return [
      ...queueNames.map(
        (name): Source => ({
          weight: 0.3,
          dueAt: () => this.#queues[name].dueAt,
          begin: () => void this.#deliver(name),
        }),
      ),
      ...this.#shards.map(
        (shard): Source => ({
          weight: 0.3,
          dueAt: () => shard.dueAt,
          begin: () => void this.#consume(shard),
        }),
      ),
      ...[...this.#nextRuns.keys()].map(
        (schedule): Source => ({
          weight: 0.3,
          dueAt: () => this.#nextRuns.get(schedule),
          begin: () => void this.#runSchedule(schedule),
        }),
      ),
    ];
  }

  /** Runs a function of limited time, which can ask how much is left. */
  #limited<T>(
    name: string,
    limitMs: number,
    work: (environment: { readonly db: Database; readonly remaining: () => number }) => Promise<T>,
  ): Promise<Ending<T>> {
    const until = this.scheduler.now + limitMs;
    const remaining = () => until - this.scheduler.now;
    return this.function(name, (db) => work({ db, remaining }), limitMs);
  }

  async #deliver(name: Queued): Promise<void> {
    const queue = this.#queues[name];
    const records = queue.receive(this.random, this.scheduler.now);
    if (records.length === 0) return;
    const ending = await this.#limited(`worker ${name}`, workerLimitMs, (environment) =>
      workers[name](this, records, environment),
    );
    if (ending.kind !== "returned") return;
    const failed = new Set(ending.value.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { messageId } of records) {
      if (failed.has(messageId)) queue.release(messageId, this.scheduler.now);
      // Now and then a message is delivered again though it was handled.
      else if (!this.random.happens(this.faults["die-after"])) queue.delete(messageId);
    }
  }

  async #consume(shard: Shard): Promise<void> {
    const records = shard.take();
    // An instance remembers what it has read of a feed, until it dies.
    const consume = this.#consumers.get(shard) ?? shard.stream.begin();
    // A run that is taken for lost goes on beside another instance, which gets its changes again.
    const isLost = this.#losesRuns && this.random.happens(0.1);
    if (isLost) {
      this.#consumers.delete(shard);
      shard.deliverAgain();
    }
    const ending = await this.#limited(`consumer ${shard.table}`, scheduleLimitMs, (environment) =>
      handleBatch(consume, records, { ...environment, variables }),
    );
    if (isLost) return;
    if (ending.kind === "returned") this.#consumers.set(shard, consume);
    else this.#consumers.delete(shard);
    const isRepeated = this.random.happens(this.faults["die-after"]);
    shard.settle(ending.kind === "returned" && !isRepeated ? ending.value : undefined, this.scheduler.now);
  }

  async #runSchedule(schedule: Schedule): Promise<void> {
    const { now } = this.scheduler;
    this.#nextRuns.set(schedule, now + schedule.everyMinutes * minute);
    await this.#limited("schedule", scheduleLimitMs, ({ db, remaining }) =>
      // As in a deployment, a schedule resumes no saga that it meets.
      schedule.run({ db: { ...db, resumeSaga: undefined }, remaining, now: new Date(now).toISOString() }),
    );
  }
}

/** Whether each active webhook has come to the end of its account's feed, and waits for no retry. */
function areDelivered(store: MemoryStore): boolean {
  const webhooks = store.table("webhooks");
  return webhooks.all
    .filter(({ pk, active }) => pk?.S?.startsWith("webhook#") === true && active?.BOOL === true)
    .every(({ webhook_id, account_id }) => {
      const cursor = webhooks.get({ pk: `webhook-progress#${webhook_id?.N}`, sk: "-" })?.["cursor"]?.N;
      const head = store.table("events").get({ pk: `feed-head#${account_id?.N}`, sk: "-" })?.["sequence"]?.N;
      return cursor === (head ?? "0") && webhooks.partition(`webhook-waiting#${webhook_id?.N}`).length === 0;
    });
}

const textOf = (input: object): string => JSON.stringify(input).slice(0, 400);

const clientTokenOf = (input: ServiceInputTypes): string | undefined =>
  "ClientRequestToken" in input ? input.ClientRequestToken : undefined;

/** The error of a transaction of which one item was being written by another. */
function conflict(input: ServiceInputTypes, random: Random): TransactionCanceledException {
  const items = "TransactItems" in input ? (input.TransactItems ?? []) : [];
  const collided = random.below(items.length);
  return new TransactionCanceledException({
    message: "Transaction cancelled",
    $metadata: {},
    CancellationReasons: items.map((_, place) => ({
      Code: place === collided ? "TransactionConflict" : "None",
    })),
  });
}
