import * as z from "zod";
import { LocalProblem } from "../problem.ts";
import { titleOf } from "./intrinsics/references.ts";
import type { Resolver } from "./intrinsics/resolver.ts";
import { isOfStream } from "./stream-mappings.ts";

const mappingSchema = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  Enabled: z.boolean().default(true),
  BatchSize: z.number().max(10).default(10),
  MaximumBatchingWindowInSeconds: z.literal(0).default(0),
  FunctionResponseTypes: z.array(z.literal("ReportBatchItemFailures")).default([]),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
  FilterCriteria: z.undefined({ error: "filters of queues are not known" }).optional(),
});

/** A queue whose messages are passed to a function. */
export interface MappingDefinition {
  readonly queueArn: string;
  readonly functionName: string;
  readonly batchSize: number;
  readonly reportsItemFailures: boolean;
  readonly maximumConcurrency: number | undefined;
}

export const readMappings = (resolver: Resolver): MappingDefinition[] =>
  resolver
    .resources("AWS::Lambda::EventSourceMapping")
    .filter((resource) => !isOfStream(resolver, resource))
    .map((resource) => resolver.read(resource, mappingSchema))
    .filter((mapping) => mapping.Enabled)
    .map((mapping) => ({
      queueArn: mapping.EventSourceArn,
      functionName: mapping.FunctionName,
      batchSize: mapping.BatchSize,
      reportsItemFailures: mapping.FunctionResponseTypes.length > 0,
      maximumConcurrency: mapping.ScalingConfig?.MaximumConcurrency,
    }));

const ruleSchema = z.object({
  ScheduleExpression: z.string(),
  State: z.string().default("ENABLED"),
  Targets: z.array(z.object({ Arn: z.string() })).default([]),
});

/** A function that is called on a schedule. */
export interface ScheduleDefinition {
  readonly ruleArn: string;
  readonly functionArn: string;
  readonly everyMs: number;
}

const unitMs: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

export const readSchedules = (resolver: Resolver): ScheduleDefinition[] =>
  resolver.resources("AWS::Events::Rule").flatMap((resource) => {
    const {
      ScheduleExpression: expression,
      State: state,
      Targets: targets,
    } = resolver.read(resource, ruleSchema);
    const [, count, unit = "", plural] = /^rate\(([1-9]\d*) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
    const milliseconds = unitMs[unit];
    // EventBridge rejects `rate(1 minutes)` and `rate(5 minute)`.
    if (milliseconds === undefined || (count === "1") !== (plural === "")) {
      throw new LocalProblem(
        `${titleOf(resource)}: the local runtime does not know the schedule "${expression}".`,
      );
    }
    if (state !== "ENABLED") return [];
    return targets.map(({ Arn: functionArn }) => ({
      ruleArn: String(resolver.attribute(resource, "Arn")),
      functionArn,
      everyMs: Number(count) * milliseconds,
    }));
  });
