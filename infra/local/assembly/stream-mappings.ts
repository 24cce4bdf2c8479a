import * as z from "zod";
import { arn } from "../aws-environment.ts";
import { type Filter, readFilter } from "./filters.ts";
import type { Resolver } from "./intrinsics/resolver.ts";
import type { Resource } from "./read.ts";

const sourceSchema = z.object({ EventSourceArn: z.string() });

/** Whether an event source mapping is one of the stream of a table. */
export const isOfStream = (resolver: Resolver, mapping: Resource): boolean =>
  resolver.read(mapping, sourceSchema).EventSourceArn.startsWith(arn("dynamodb", ""));

const mappingSchema = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  Enabled: z.boolean().default(true),
  BatchSize: z.number().default(100),
  BisectBatchOnFunctionError: z.boolean().default(false),
  FunctionResponseTypes: z.array(z.literal("ReportBatchItemFailures")).default([]),
  FilterCriteria: z.object({ Filters: z.array(z.object({ Pattern: z.string() })) }).optional(),
  DestinationConfig: z.object({ OnFailure: z.object({ Destination: z.string() }).optional() }).optional(),
  StartingPosition: z.literal("TRIM_HORIZON"),
  MaximumBatchingWindowInSeconds: z.literal(0).default(0),
  MaximumRetryAttempts: z.literal(-1).default(-1),
  ParallelizationFactor: z.literal(1).default(1),
  TumblingWindowInSeconds: z.literal(0).default(0),
});

/** A stream whose records are passed to a function. Maximum ages are ignored: no record is discarded here. */
export interface StreamMappingDefinition {
  readonly streamArn: string;
  readonly functionName: string;
  readonly batchSize: number;
  /** Whether a failed batch is retried in two halves. */
  readonly bisects: boolean;
  readonly reportsItemFailures: boolean;
  /** The ARN of the queue to which Lambda reports discarded records. */
  readonly failuresArn: string | undefined;
  readonly wants: Filter;
}

export const readStreamMappings = (resolver: Resolver): StreamMappingDefinition[] =>
  resolver
    .resources("AWS::Lambda::EventSourceMapping")
    .filter((resource) => isOfStream(resolver, resource))
    .map((resource) => resolver.read(resource, mappingSchema))
    .filter((mapping) => mapping.Enabled)
    .map((mapping) => ({
      streamArn: mapping.EventSourceArn,
      functionName: mapping.FunctionName,
      batchSize: mapping.BatchSize,
      bisects: mapping.BisectBatchOnFunctionError,
      reportsItemFailures: mapping.FunctionResponseTypes.length > 0,
      failuresArn: mapping.DestinationConfig?.OnFailure?.Destination,
      wants: wantedBy(mapping.FilterCriteria?.Filters),
    }));

const wantedBy = (filters: readonly { readonly Pattern: string }[] | undefined): Filter =>
  filters === undefined ? () => true : readFilter(filters.map(({ Pattern }) => Pattern));
