import { setTimeout as delay } from "node:timers/promises";
import type { Deployment } from "../assembly/deployment.ts";
import { type FunctionDefinition, findFunction } from "../assembly/functions.ts";
import { streamArn } from "../assembly/intrinsics/references.ts";
import type { MappingDefinition, ScheduleDefinition } from "../assembly/sources.ts";
import type { StreamMappingDefinition } from "../assembly/stream-mappings.ts";
import type { AwsClient } from "../aws-client.ts";
import type { DeployedFunction, Fleet } from "../functions/fleet.ts";
import { LocalProblem } from "../problem.ts";
import { Poller } from "./poller.ts";
import { scheduledEvent } from "./scheduled-event.ts";
import type { Checkpoints } from "./streams/checkpoints.ts";
import type { StreamCalls } from "./streams/client.ts";
import { Progress } from "./streams/progress.ts";
import { StreamSource } from "./streams/source.ts";

/** The actions that a function's role must allow before Lambda accepts a queue or a stream as its source. */
const queueActions = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
const streamActions = [
  "dynamodb:DescribeStream",
  "dynamodb:GetRecords",
  "dynamodb:GetShardIterator",
  "dynamodb:ListStreams",
];

/** The interval at which `settled` checks again. */
const lookMs = 20;

interface SourceOptions {
  readonly queues: AwsClient;
  readonly streams: StreamCalls;
  readonly checkpoints: Checkpoints;
  /** Whether changes are delivered. The templates are checked in either case. */
  readonly followsStreams: boolean;
  readonly followsClock: boolean;
  readonly redeliversAtOnce: boolean;
}

/** Everything that calls functions other than HTTP requests: queues, streams of tables, and schedules. */
export class EventSources {
  readonly #deployment: Deployment;
  readonly #fleet: Fleet;
  readonly #options: SourceOptions;
  readonly #pollers: readonly Poller[];
  readonly #streams: readonly StreamSource[];
  readonly #schedules: readonly (ScheduleDefinition & { readonly deployed: DeployedFunction })[];
  #timers: readonly NodeJS.Timeout[] = [];
  #readsStreams = false;

  constructor(deployment: Deployment, fleet: Fleet, options: SourceOptions) {
    this.#deployment = deployment;
    this.#fleet = fleet;
    this.#options = options;
    this.#pollers = deployment.mappings.map((mapping) => this.#poller(mapping));
    this.#streams = deployment.streamMappings.map((mapping) => this.#stream(mapping));
    this.#schedules = deployment.schedules.map((schedule) => ({
      ...schedule,
      deployed: findFunction(fleet.functions, schedule.functionArn),
    }));
  }

  resume(): void {
    for (const poller of this.#pollers) poller.start();
    if (this.#options.followsClock && this.#timers.length === 0)
      this.#timers = this.#schedules.map(({ deployed, ruleArn, everyMs }) =>
        // A failed run is in the log. The next run follows anyway.
        setInterval(() => this.#run(deployed, ruleArn).catch(() => undefined), everyMs),
      );
    this.resumeStreams();
  }

  async pause(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    await Promise.all([this.pauseStreams(), ...this.#pollers.map((poller) => poller.pause())]);
  }

  resumeStreams(): void {
    if (!this.#options.followsStreams) return;
    this.#readsStreams = true;
    for (const stream of this.#streams) stream.start();
  }

  async pauseStreams(): Promise<void> {
    this.#readsStreams = false;
    await Promise.all(this.#streams.map((stream) => stream.pause()));
  }

  /** Announces a message that was sent to this queue. */
  announceMessage(queueName: string): void {
    for (const poller of this.#pollers) if (poller.queueName === queueName) poller.poke();
  }

  /** Announces a write to these tables. */
  announceWrite(tables: readonly string[]): void {
    for (const stream of this.#streams) if (tables.includes(stream.table)) stream.poke();
  }

  async runSchedule(name: string): Promise<void> {
    const wanted = findFunction(this.#fleet.functions, name);
    const schedule = this.#schedules.find(({ deployed }) => deployed === wanted);
    if (schedule === undefined) throw new LocalProblem(`No schedule calls the function "${name}".`);
    await this.#run(wanted, schedule.ruleArn);
  }

  async #run(deployed: DeployedFunction, ruleArn: string): Promise<void> {
    await this.#fleet.invoke(deployed, scheduledEvent(ruleArn));
  }

  /**
   * Delivered changes may lead to messages and further changes, so this ends once everything is delivered and
   * nothing new has come. While streams are paused, their changes are not waited for.
   */
  async settled(): Promise<void> {
    for (let begun = -1; begun !== this.#begun; ) {
      await this.#emptied();
      begun = this.#begun;
      if (this.#readsStreams) await Promise.all(this.#streams.map((stream) => stream.caughtUp()));
      await this.#emptied();
    }
  }

  async #emptied(): Promise<void> {
    for (const poller of this.#pollers) while (!(await poller.isEmpty())) await delay(lookMs);
  }

  /** The number of batches of messages and changes ever begun. */
  get #begun(): number {
    return [...this.#pollers, ...this.#streams].reduce((sum, source) => sum + source.begun, 0);
  }

  #poller(mapping: MappingDefinition): Poller {
    const { queueArn, functionName, maximumConcurrency } = mapping;
    const queue = this.#deployment.queues.find(({ arn }) => arn === queueArn);
    if (queue === undefined)
      throw new LocalProblem(`The event source ${queueArn} of ${functionName} is no queue of the assembly.`);
    const deployed = findFunction(this.#fleet.functions, functionName);
    checkGrants(deployed.definition, queueActions, queueArn);
    const { instances } = this.#fleet;
    return new Poller({
      mapping,
      queue,
      client: this.#options.queues,
      concurrency: Math.min(maximumConcurrency ?? instances, instances),
      redeliversAtOnce: this.#options.redeliversAtOnce,
      invoke: (event) => this.#fleet.invoke(deployed, event),
    });
  }

  #stream(mapping: StreamMappingDefinition): StreamSource {
    const { streamArn: arn, functionName, failuresArn } = mapping;
    const { tables, queues } = this.#deployment;
    const table = tables.find(
      ({ TableName, StreamSpecification }) =>
        StreamSpecification !== undefined && streamArn(TableName) === arn,
    )?.TableName;
    if (table === undefined)
      throw new LocalProblem(
        `The event source ${arn} of ${functionName} is no stream of the assembly's tables.`,
      );
    const deployed = findFunction(this.#fleet.functions, functionName);
    checkGrants(deployed.definition, streamActions, arn);
    if (failuresArn !== undefined) {
      if (!queues.some((queue) => queue.arn === failuresArn))
        throw new LocalProblem(
          `The failures of an event source go to ${failuresArn}, which is no queue of the assembly.`,
        );
      checkGrants(deployed.definition, ["sqs:SendMessage"], failuresArn);
    }
    const { streams, checkpoints } = this.#options;
    const name = `${deployed.definition.functionName}-${table}`;
    return new StreamSource(table, new Progress(name, table, streams, checkpoints), mapping, (event) =>
      this.#fleet.invoke(deployed, event),
    );
  }
}

/** Lambda rejects an event source that the function's role may not use, so such a deployment would fail. */
function checkGrants(definition: FunctionDefinition, actions: readonly string[], resource: string): void {
  const missing = definition.permissions.missing(actions.map((action) => ({ action, resource })));
  if (missing !== undefined)
    throw new LocalProblem(
      `${definition.name} has the event source ${resource}, but its role does not allow ${missing.action}.`,
    );
}
