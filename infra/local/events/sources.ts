import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import type { Deployment } from "../assembly/deployment.ts";
import { findFunction } from "../assembly/functions.ts";
import type { QueueDefinition } from "../assembly/queues.ts";
import type { MappingDefinition } from "../assembly/sources.ts";
import type { AwsClient } from "../aws-client.ts";
import type { DeployedFunction, Fleet } from "../functions/fleet.ts";
import { Problem } from "../problem.ts";
import { checkGrants } from "./grants.ts";
import { Poller } from "./poller.ts";
import { Schedule } from "./schedule.ts";
import type { StreamSources } from "./streams/sources.ts";

/** The actions that a function's role must allow before Lambda accepts a queue as its event source. */
const neededActions = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];

const visible = "ApproximateNumberOfMessages";

const counts = [visible, "ApproximateNumberOfMessagesNotVisible"];

const attributesSchema = z.object({ Attributes: z.record(z.string(), z.coerce.number()) });

/** The interval at which `settled` checks again. */
const lookMilliseconds = 20;

/** Everything that calls functions other than HTTP requests. */
export class EventSources {
  readonly #pollers: readonly Poller[];
  readonly #schedules: ReadonlyMap<DeployedFunction, Schedule>;
  readonly #fleet: Fleet;
  readonly #client: AwsClient;
  readonly #queues: readonly QueueDefinition[];
  readonly streams: StreamSources;
  readonly #followsClock: boolean;

  constructor(
    { queues, mappings, schedules }: Deployment,
    fleet: Fleet,
    client: AwsClient,
    { streams, followsClock }: { readonly streams: StreamSources; readonly followsClock: boolean },
  ) {
    this.#fleet = fleet;
    this.#client = client;
    this.streams = streams;
    this.#followsClock = followsClock;
    const consumed = mappings.map((mapping) => ({ mapping, queue: queueOf(mapping, queues) }));
    this.#queues = consumed.map(({ queue }) => queue);
    this.#pollers = consumed.map(({ mapping, queue }) => this.#poller(mapping, queue));
    this.#schedules = new Map(
      schedules.map((definition) => {
        const deployed = findFunction(fleet.functions, definition.functionArn);
        return [deployed, new Schedule(definition, (event) => fleet.invoke(deployed, event))];
      }),
    );
  }

  resume(): void {
    for (const poller of this.#pollers) poller.start();
    if (this.#followsClock) for (const schedule of this.#schedules.values()) schedule.start();
    this.streams.resume();
  }

  async pause(): Promise<void> {
    for (const schedule of this.#schedules.values()) schedule.pause();
    await Promise.all([...this.#pollers, this.streams].map((source) => source.pause()));
  }

  /** Announces a message that was sent to this queue. */
  poke(queueName: string): void {
    for (const poller of this.#pollers) if (poller.queueName === queueName) poller.poke();
  }

  async runSchedule(name: string): Promise<void> {
    const schedule = this.#schedules.get(findFunction(this.#fleet.functions, name));
    if (schedule === undefined) throw new Problem(`No schedule calls the function "${name}".`);
    await schedule.run();
  }

  /**
   * Delivered changes may lead to messages and further changes, so this ends once everything is delivered and
   * nothing new came.
   */
  async settled(): Promise<void> {
    for (let begun = -1; begun !== this.#begun; ) {
      await this.#emptied();
      begun = this.#begun;
      await this.streams.caughtUp();
      await this.#emptied();
    }
  }

  async #emptied(): Promise<void> {
    for (const queue of this.#queues) {
      while (!(await this.#isEmpty(queue))) await delay(lookMilliseconds);
    }
  }

  /** The number of batches of messages and changes that were ever begun. */
  get #begun(): number {
    return this.#pollers.reduce((sum, poller) => sum + poller.begun, this.streams.begun);
  }

  /**
   * Waiting messages are received at once. They may have bypassed the proxy, which otherwise announces
   * messages.
   */
  async #isEmpty({ url: QueueUrl, name }: QueueDefinition): Promise<boolean> {
    const { body } = await this.#client.send("GetQueueAttributes", { QueueUrl, AttributeNames: counts });
    const { Attributes } = attributesSchema.parse(body);
    if ((Attributes[visible] ?? 0) > 0) this.poke(name);
    return Object.values(Attributes).every((count) => count === 0);
  }

  #poller(mapping: MappingDefinition, queue: QueueDefinition): Poller {
    const deployed = findFunction(this.#fleet.functions, mapping.functionName);
    checkGrants(deployed.definition, neededActions, queue.arn);
    const { instances } = this.#fleet;
    return new Poller({
      mapping,
      queue,
      client: this.#client,
      concurrency: Math.min(mapping.maximumConcurrency ?? instances, instances),
      invoke: (event) => this.#fleet.invoke(deployed, event),
    });
  }
}

const queueOf = (
  { queueArn, functionName }: MappingDefinition,
  queues: readonly QueueDefinition[],
): QueueDefinition => {
  const queue = queues.find(({ arn }) => arn === queueArn);
  if (queue === undefined)
    throw new Problem(`The event source ${queueArn} of ${functionName} is no queue of the assembly.`);
  return queue;
};
