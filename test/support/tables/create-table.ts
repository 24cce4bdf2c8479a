import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { IndexSchema, TableSchema } from "../../../shared/store/tables.ts";

/** Creates a table with the keys and indexes of a schema, without a change stream. */
export async function createTable(
  { client }: Database,
  name: string,
  { indexes }: TableSchema,
): Promise<void> {
  const own = Object.entries(indexes);
  const keys = ["pk", "sk", ...own.flatMap(([, { partitionKey, sortKey }]) => [partitionKey, sortKey])];
  const ofScope = (scope: IndexSchema["scope"]) => {
    const some = own.filter(([, index]) => index.scope === scope);
    return some.length === 0 ? undefined : some.map(([name, index]) => indexOf(name, index));
  };
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keySchema("pk", "sk"),
      AttributeDefinitions: [...new Set(keys)].map((key) => ({
        AttributeName: key,
        AttributeType: "S" as const,
      })),
      LocalSecondaryIndexes: ofScope("local"),
      GlobalSecondaryIndexes: ofScope("global"),
    }),
  );
}

const keySchema = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: "HASH" as const },
  { AttributeName: sort, KeyType: "RANGE" as const },
];

const indexOf = (IndexName: string, { partitionKey, sortKey, include }: IndexSchema) => ({
  IndexName,
  KeySchema: keySchema(partitionKey, sortKey),
  Projection:
    include.length === 0
      ? { ProjectionType: "KEYS_ONLY" as const }
      : { ProjectionType: "INCLUDE" as const, NonKeyAttributes: [...include] },
});
