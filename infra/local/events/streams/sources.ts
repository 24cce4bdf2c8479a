import type { Deployment } from "../../assembly/deployment.ts";
import { findFunction } from "../../assembly/functions.ts";
import { streamArn } from "../../assembly/intrinsics/references.ts";
import type { StreamMappingDefinition } from "../../assembly/stream-mappings.ts";
import type { DeployedFunction, Fleet } from "../../functions/fleet.ts";
import { Problem } from "../../problem.ts";
import { checkGrants } from "../grants.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { StreamCalls } from "./client.ts";
import { Progress } from "./progress.ts";
import { StreamSource } from "./source.ts";

/** The actions that a function's role must allow before Lambda accepts a stream as its event source. */
const neededActions = [
  "dynamodb:DescribeStream",
  "dynamodb:GetRecords",
  "dynamodb:GetShardIterator",
  "dynamodb:ListStreams",
];

/** Everything that calls functions with the changes of tables. */
export class StreamSources {
  readonly #sources: readonly StreamSource[];
  readonly #isOn: boolean;
  #isRunning = false;

  /** @param isOn whether they run at all; the templates are checked anyway */
  constructor(
    deployment: Deployment,
    fleet: Fleet,
    { client, checkpoints, isOn }: { client: StreamCalls; checkpoints: Checkpoints; isOn: boolean },
  ) {
    this.#isOn = isOn;
    this.#sources = deployment.streamMappings.map((mapping) => {
      const deployed = findFunction(fleet.functions, mapping.functionName);
      const { functionName } = deployed.definition;
      const table = tableOf(mapping, deployment);
      checkGrants(deployed.definition, neededActions, mapping.streamArn);
      if (mapping.failuresArn !== undefined) checkFailures(mapping.failuresArn, deployed, deployment);
      const progress = new Progress(`${functionName}-${table}`, table, client, checkpoints);
      const invoke = (event: unknown) => fleet.invoke(deployed, event);
      return new StreamSource(table, progress, mapping, invoke);
    });
  }

  /** How many batches were begun, ever. */
  get begun(): number {
    return this.#sources.reduce((sum, source) => sum + source.begun, 0);
  }

  resume(): void {
    if (!this.#isOn) return;
    this.#isRunning = true;
    for (const source of this.#sources) source.start();
  }

  async pause(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#sources.map((source) => source.pause()));
  }

  /** Announces a write to these tables. */
  poke(tables: readonly string[]): void {
    for (const source of this.#sources) if (tables.includes(source.table)) source.poke();
  }

  /** Resolves when every change is delivered; at once while nothing is. */
  async caughtUp(): Promise<void> {
    if (!this.#isRunning) return;
    await Promise.all(this.#sources.map((source) => source.caughtUp()));
  }

  repeat(): void {
    for (const source of this.#sources) source.repeat();
  }

  delay(milliseconds: number): void {
    for (const source of this.#sources) source.delayMilliseconds = milliseconds;
  }
}

const tableOf = (
  { streamArn: arn, functionName }: StreamMappingDefinition,
  { tables }: Deployment,
): string => {
  const table = tables.find(
    ({ TableName, StreamSpecification }) => StreamSpecification !== undefined && streamArn(TableName) === arn,
  );
  if (table === undefined)
    throw new Problem(`The event source ${arn} of ${functionName} is no stream of the assembly's tables.`);
  return table.TableName;
};

const checkFailures = (arn: string, { definition }: DeployedFunction, { queues }: Deployment): void => {
  if (!queues.some((queue) => queue.arn === arn))
    throw new Problem(`The failures of an event source go to ${arn}, which is no queue of the assembly.`);
  checkGrants(definition, ["sqs:SendMessage"], arn);
};
