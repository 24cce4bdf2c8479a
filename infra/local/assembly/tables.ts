import * as z from "zod";
import type { Resolver } from "./intrinsics/resolver.ts";

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) }));

const projection = z.object({
  ProjectionType: z.enum(["ALL", "KEYS_ONLY", "INCLUDE"]),
  NonKeyAttributes: z.array(z.string()).optional(),
});

const index = z.object({ IndexName: z.string(), KeySchema: keySchema, Projection: projection });

const tableSchema = z.object({
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(["S", "N", "B"]) }),
  ),
  KeySchema: keySchema,
  LocalSecondaryIndexes: z.array(index).optional(),
  GlobalSecondaryIndexes: z.array(index).optional(),
  StreamSpecification: z
    .object({ StreamViewType: z.literal("NEW_AND_OLD_IMAGES") })
    .transform((stated) => ({ StreamEnabled: true, ...stated }))
    .optional(),
});

/** A table, as for `CreateTable`. Time to live is left out: items do not expire here. */
export type TableDefinition = z.infer<typeof tableSchema> & { readonly TableName: string };

export const readTables = (resolver: Resolver): TableDefinition[] =>
  resolver.resources("AWS::DynamoDB::GlobalTable").map((resource) => ({
    TableName: resolver.name(resource),
    ...resolver.read(resource, tableSchema),
  }));
