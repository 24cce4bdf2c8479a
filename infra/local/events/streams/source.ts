import type { StreamMappingDefinition } from "../../assembly/stream-mappings.ts";
import { InterruptibleSleep } from "../interruptible-sleep.ts";
import { Deliveries } from "./deliveries.ts";
import type { Progress } from "./progress.ts";
import type { ShardReader } from "./shard.ts";

/**
 * The interval at which a stream is polled if no change was announced. It finds changes that bypassed the
 * proxy. A poll costs DynamoDB Local two milliseconds of the processor.
 */
const idleMs = 1000;

/**
 * The shortest and longest interval after this many consecutive polls have found nothing. At each poll,
 * DynamoDB Local scans the changes of all tables since the last poll of this stream. So a service that nobody
 * calls would keep a processor busy, all the more the more it was called before. A poll is followed by a rest
 * of this many times its duration.
 */
const resting = { after: 10, shortest: 5000, longest: 60_000, times: 500 };

/** The pause between polls that find changes, so that one finds several. Lambda polls four times a second. */
const gapMs = 20;

const restAfter = (took: number): number =>
  Math.min(resting.longest, Math.max(resting.shortest, resting.times * took));

/** The outcome of polling a stream. */
type Found = "nothing" | "records" | "failure";

/**
 * Calls a function with the changes of a table, as an event source mapping of Lambda does: in order, one
 * batch at a time. A failed batch is retried until it is handled; none is discarded. Only one batch is held
 * in memory, and none while a failed one waits: it is read from the stream again.
 */
export class StreamSource {
  readonly table: string;
  readonly #progress: Progress;
  readonly #deliveries: Deliveries;
  /** Waits until a change is announced, or a poll is due. */
  #idle = new InterruptibleSleep();
  /** Waits for a time, or until the source is paused. */
  #rest = new InterruptibleSleep();
  #loop: Promise<void> | undefined;
  #running = false;
  #waiting: PromiseWithResolvers<void>[] = [];
  #begun = 0;
  /** The number of consecutive polls that have found nothing since the last change or announcement. */
  #emptyPolls = 0;

  /** @param invoke calls the function and returns its answer as JSON */
  constructor(
    table: string,
    progress: Progress,
    mapping: StreamMappingDefinition,
    invoke: (event: unknown) => Promise<string>,
  ) {
    this.table = table;
    this.#progress = progress;
    this.#deliveries = new Deliveries(mapping, invoke);
  }

  /** The number of batches ever begun. */
  get begun(): number {
    return this.#begun;
  }

  /** Starts at the last checkpoint. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    // Interruptions that came while the source was paused no longer count.
    this.#idle = new InterruptibleSleep();
    this.#rest = new InterruptibleSleep();
    this.#loop = this.#run();
  }

  /** Stops reading. Resolves when the current batch has ended. */
  async pause(): Promise<void> {
    this.#running = false;
    this.#idle.poke();
    this.#rest.poke();
    await this.#loop;
  }

  /** Polls the stream now. */
  poke(): void {
    this.#emptyPolls = 0;
    this.#idle.poke();
  }

  /**
   * Resolves when every change before this call is delivered. While the source is paused, nothing is
   * delivered.
   */
  caughtUp(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    this.#waiting.push(waiting);
    this.poke();
    return waiting.promise;
  }

  async #run(): Promise<void> {
    while (this.#running) {
      const waiting = this.#waiting.splice(0);
      const began = performance.now();
      try {
        const found = await this.#look();
        if (found === "nothing") for (const { resolve } of waiting) resolve();
        else this.#waiting.push(...waiting);
        await this.#waitAfter(found, performance.now() - began);
      } catch (error) {
        for (const { reject } of waiting) reject(error);
        this.#progress.forget();
        await this.#rest.sleep(idleMs);
      }
    }
  }

  async #waitAfter(found: Found, took: number): Promise<void> {
    this.#emptyPolls = found === "nothing" ? this.#emptyPolls + 1 : 0;
    if (found === "failure") await this.#rest.sleep(this.#deliveries.pause);
    else if (this.#waiting.length > 0) return;
    else if (found === "records") await this.#rest.sleep(gapMs);
    else await this.#idle.sleep(this.#emptyPolls < resting.after ? idleMs : restAfter(took));
  }

  /** Reads each shard once, and delivers its new records. */
  async #look(): Promise<Found> {
    let found: Found = "nothing";
    for (const shard of await this.#progress.shards()) {
      const one = await this.#advance(shard);
      if (one === "failure") return one;
      if (one === "records") found = one;
      if (shard.isDone) {
        this.#progress.finish(shard);
        found = "records";
      }
    }
    return found;
  }

  async #advance(shard: ShardReader): Promise<Found> {
    const records = await shard.read(this.#deliveries.limit);
    if (records.length === 0) return "nothing";
    const batch = this.#deliveries.batchOf(records);
    if (batch.wanted.length > 0) this.#begun += 1;
    const handled = await this.#deliveries.deliver(batch);
    if (handled !== undefined) this.#progress.keep(shard, handled);
    return handled === batch.taken.at(-1) ? "records" : "failure";
  }
}
