import { isObject } from "../json.ts";

/** A table may be given by its ARN. */
export const tableName = (given: unknown): string => String(given).replace(/^arn:[^/]*:table\//, "");

/** An item that a request names. */
export interface Touched {
  readonly table: string;
  /** The item's key, or the whole item if the request puts it. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The action that it requires in IAM, which for a transaction is that of each of its items. */
  readonly action: string;
}

type Part = Readonly<Record<string, unknown>>;

const itemActions: Readonly<Record<string, string>> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
  Get: "GetItem",
};

/** The items that a request to DynamoDB names individually. A query or a scan names none. */
export const touchedItems = (name: string, input: unknown): readonly Touched[] => {
  if (!isObject(input)) return [];
  const { TableName, TransactItems, RequestItems } = input;
  switch (name) {
    case "GetItem":
    case "PutItem":
    case "UpdateItem":
    case "DeleteItem":
      return touched(name, TableName, input);
    case "TransactGetItems":
    case "TransactWriteItems":
      return elements(TransactItems)
        .flatMap(partsOf)
        .flatMap(([kind, part]) => touched(itemActions[kind] ?? kind, part["TableName"], part));
    case "BatchGetItem":
      return tablesIn(RequestItems).flatMap(([table, request]) =>
        elements(isObject(request) ? request["Keys"] : []).flatMap((Key) => touched(name, table, { Key })),
      );
    case "BatchWriteItem":
      return tablesIn(RequestItems).flatMap(([table, requests]) =>
        elements(requests)
          .flatMap(partsOf)
          .flatMap(([, part]) => touched(name, table, part)),
      );
    default:
      return [];
  }
};

const touched = (action: string, table: unknown, { Key, Item }: Part): readonly Touched[] => {
  const attributes = Key ?? Item;
  return isObject(attributes) ? [{ table: tableName(table), attributes, action }] : [];
};

const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const tablesIn = (requests: unknown) => Object.entries(isObject(requests) ? requests : {});

/** The kinds and parts of `{ "Put": part }` and similar. */
const partsOf = (value: unknown): readonly (readonly [kind: string, part: Part])[] =>
  Object.entries(isObject(value) ? value : {}).flatMap(([kind, part]) =>
    isObject(part) ? [[kind, part] as const] : [],
  );
