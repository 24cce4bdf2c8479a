import { isObject } from "../json.ts";

/** A table may be given by its ARN. */
export const tableName = (given: unknown): string => String(given).replace(/^arn:[^/]*:table\//, "");

/** An item that a request names. */
export interface Touched {
  readonly table: string;
  /** The item's key, or the whole item where the request puts it. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The items that a request to DynamoDB names one by one. A query or a scan names none. */
export const touchedItems = (name: string, input: unknown): readonly Touched[] => {
  if (!isObject(input)) return [];
  switch (name) {
    case "GetItem":
    case "PutItem":
    case "UpdateItem":
    case "DeleteItem":
      return touched(input["TableName"], input);
    case "TransactGetItems":
    case "TransactWriteItems":
      return elements(input["TransactItems"])
        .flatMap(parts)
        .flatMap((part) => touched(part["TableName"], part));
    case "BatchGetItem":
      return perTable(input["RequestItems"], (request) =>
        elements(isObject(request) ? request["Keys"] : []).map((Key) => ({ Key })),
      );
    case "BatchWriteItem":
      return perTable(input["RequestItems"], (requests) => elements(requests).flatMap(parts));
    default:
      return [];
  }
};

type Part = Readonly<Record<string, unknown>>;

const touched = (table: unknown, { Key, Item }: Part): readonly Touched[] => {
  const attributes = Key ?? Item;
  return isObject(attributes) ? [{ table: tableName(table), attributes }] : [];
};

const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What `{ "Put": part }` and the like hold. */
const parts = (value: unknown): readonly Part[] =>
  isObject(value) ? Object.values(value).filter(isObject) : [];

const perTable = (requests: unknown, partsOf: (request: unknown) => readonly Part[]): readonly Touched[] =>
  Object.entries(isObject(requests) ? requests : {}).flatMap(([table, request]) =>
    partsOf(request).flatMap((part) => touched(table, part)),
  );
