import type { TableDefinition } from "../assembly/tables.ts";
import { type Answer, type AwsClient, errorCode } from "../aws-client.ts";
import { isObject } from "../json.ts";
import { LocalProblem } from "../problem.ts";

/**
 * Creates the missing tables.
 * @returns those that it created
 */
export const createTables = async (
  client: AwsClient,
  tables: readonly TableDefinition[],
): Promise<readonly string[]> => {
  const created: string[] = [];
  // One after another: DynamoDB Local serializes them anyway, and with a file it would lock itself out.
  for (const table of tables) {
    const answer = await client.send("CreateTable", { BillingMode: "PAY_PER_REQUEST", ...table });
    if (errorCode(answer) === undefined) created.push(table.TableName);
    else if (errorCode(answer) === "ResourceInUseException") await keep(client, table);
    else throw new LocalProblem(`Table ${table.TableName} could not be created: ${message(answer)}`);
  }
  return created;
};

/** A table without a stream. */
export const withoutStream = ({ StreamSpecification: _, ...table }: TableDefinition): TableDefinition =>
  table;

export const deleteTables = async (client: AwsClient, names: readonly string[]): Promise<void> => {
  for (const TableName of names) await client.send("DeleteTable", { TableName });
};

/** Keeps a table of an earlier start. */
const keep = async (client: AwsClient, table: TableDefinition): Promise<void> => {
  const { body } = await client.send("DescribeTable", { TableName: table.TableName });
  const there = isObject(body["Table"]) ? body["Table"] : {};
  expectSame(table, there);
  const { TableName, StreamSpecification } = table;
  if (StreamSpecification === undefined || isObject(there["StreamSpecification"])) return;
  const answer = await client.send("UpdateTable", { TableName, StreamSpecification });
  if (errorCode(answer) !== undefined)
    throw new LocalProblem(`Table ${TableName} could not be given a stream: ${message(answer)}`);
};

/** Data of an earlier start may have other indexes, which DynamoDB can't add to a table later. */
const expectSame = (table: TableDefinition, there: Record<string, unknown>): void => {
  const wanted = indexNames({ ...table });
  if (indexNames(there) !== wanted) {
    throw new LocalProblem(
      `Table ${table.TableName} of the data directory has other indexes than the templates state; ` +
        "delete the directory to begin anew.",
    );
  }
};

const indexNames = (table: Record<string, unknown>): string =>
  ["LocalSecondaryIndexes", "GlobalSecondaryIndexes"]
    .flatMap((kind) => {
      const indexes = table[kind];
      return Array.isArray(indexes) ? indexes.map(signature) : [];
    })
    .sort()
    .join(", ");

const signature = (index: unknown): string =>
  isObject(index) ? `${String(index["IndexName"])} ${JSON.stringify(index["KeySchema"])}` : "";

const message = ({ body }: Answer): string => String(body["message"] ?? body["Message"] ?? body["__type"]);
