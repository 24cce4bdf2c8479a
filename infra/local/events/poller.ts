import * as z from "zod";
import type { QueueDefinition } from "../assembly/queues.ts";
import type { MappingDefinition } from "../assembly/sources.ts";
import type { AwsClient } from "../aws-client.ts";
import { InterruptibleSleep } from "./interruptible-sleep.ts";
import { failedOf, type Message, messagesSchema, toRecord } from "./records.ts";

interface PollerOptions {
  readonly mapping: MappingDefinition;
  readonly queue: QueueDefinition;
  readonly client: AwsClient;
  /** The maximum number of batches handled concurrently. */
  readonly concurrency: number;
  /** Whether failed messages can be received again at once. */
  readonly redeliversAtOnce: boolean;
  /** @returns the function's answer as JSON */
  invoke(event: unknown): Promise<string>;
}

/**
 * The interval at which a queue is polled if no message was announced. It finds messages that bypassed the
 * proxy. A poll takes a millisecond of processor time, and a runtime has several queues. (A long poll could
 * not be cancelled when polling is paused, and a message that arrives then would be lost until its timeout.)
 */
const idleMs = 1000;

const visible = "ApproximateNumberOfMessages";
const counts = [visible, "ApproximateNumberOfMessagesNotVisible"];
const attributesSchema = z.object({ Attributes: z.record(z.string(), z.coerce.number()) });

/** Calls a function with the messages of a queue, as an event source mapping of Lambda does. */
export class Poller {
  readonly #options: PollerOptions;
  readonly #working = new Set<Promise<void>>();
  #loop: Promise<void> | undefined;
  #running = false;
  readonly #wait = new InterruptibleSleep();
  #begun = 0;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  get queueName(): string {
    return this.#options.queue.name;
  }

  /** The number of batches ever begun. */
  get begun(): number {
    return this.#begun;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#loop = this.#run();
  }

  /** Stops receiving. Resolves when all received messages are handled. */
  async pause(): Promise<void> {
    this.#running = false;
    this.#wait.poke();
    await this.#loop;
    await Promise.all(this.#working);
  }

  /** Polls the queue now. */
  poke(): void {
    this.#wait.poke();
  }

  /**
   * Whether no message is waiting or in flight, once the batches under way are worked off. Waiting messages
   * are received at once, because they may have bypassed the proxy, which otherwise announces messages.
   */
  async isEmpty(): Promise<boolean> {
    await Promise.all(this.#working);
    const { client, queue } = this.#options;
    const asked = { QueueUrl: queue.url, AttributeNames: counts };
    const { body } = await client.send("GetQueueAttributes", asked);
    const { Attributes } = attributesSchema.parse(body);
    if ((Attributes[visible] ?? 0) > 0) this.poke();
    return Object.values(Attributes).every((count) => count === 0);
  }

  async #run(): Promise<void> {
    while (this.#running) {
      const batch = await this.#receive().catch(() => []);
      if (batch.length > 0) this.#begin(batch);
      else await this.#wait.sleep(idleMs);
      while (this.#working.size >= this.#options.concurrency) await Promise.race(this.#working);
    }
  }

  async #receive(): Promise<Message[]> {
    const { client, queue, mapping } = this.#options;
    const { body } = await client.send("ReceiveMessage", {
      QueueUrl: queue.url,
      MaxNumberOfMessages: mapping.batchSize,
      MessageSystemAttributeNames: ["All"],
    });
    return messagesSchema.parse(body).Messages;
  }

  #begin(batch: readonly Message[]): void {
    this.#begun += 1;
    const work = this.#process(batch)
      .catch(() => batch)
      .then((failed) => this.#leave(failed))
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  /** @returns which messages failed */
  async #process(batch: readonly Message[]): Promise<readonly Message[]> {
    const { mapping, queue, invoke } = this.#options;
    const payload = await invoke({ Records: batch.map((message) => toRecord(message, queue.arn)) });
    const ids = batch.map(({ MessageId }) => MessageId);
    const failed = mapping.reportsItemFailures ? failedOf(payload, ids) : new Set();
    const done = batch.filter(({ MessageId }) => !failed.has(MessageId));
    await this.#tell("DeleteMessageBatch", done);
    return batch.filter(({ MessageId }) => failed.has(MessageId));
  }

  /** Leaves failed messages in the queue until their visibility timeout ends. */
  async #leave(failed: readonly Message[]): Promise<void> {
    if (!this.#options.redeliversAtOnce || failed.length === 0) return;
    await this.#tell("ChangeMessageVisibilityBatch", failed, { VisibilityTimeout: 0 }).catch(() => undefined);
    this.poke();
  }

  /** Calls the queue for messages that were received together. */
  async #tell(operation: string, messages: readonly Message[], change: object = {}): Promise<void> {
    if (messages.length === 0) return;
    const Entries = messages.map(({ MessageId: Id, ReceiptHandle }) => ({ Id, ReceiptHandle, ...change }));
    await this.#options.client.send(operation, { QueueUrl: this.#options.queue.url, Entries });
  }
}
