/**
 * The tables and their indexes, as data: the stacks create them from this, the repositories name them by this.
 * Every table has the string keys `pk` and `sk`, and `expires_at` (epoch seconds) as its time-to-live attribute.
 * Tables and indexes bear the names of what they keep. What is in an order or a product is for `shared/data` to know.
 */

/**
 * A table. They keep accounts and registries; orders; products and stock; jobs and idempotency records; heads and tallies
 * of lists; what finds records by a text, and serials of products; events; webhooks and their deliveries; the secrets of
 * webhooks, apart so that the sender alone can read them. Tallies and directory are apart because DynamoDB never spreads a
 * partition with a local index.
 */
export type TableName = (typeof tableNames)[number];

/** An index beside a table's own keys. A local one shares the table's `pk` and can be read consistently. */
export interface IndexSchema {
  readonly scope: "local" | "global";
  /** Attribute that partitions the index; a local index has the table's own. */
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Attributes copied into the index besides the keys. */
  readonly include: readonly string[];
}

export interface TableSchema {
  /** Environment variable that holds the deployed table's name. */
  readonly variable: string;
  readonly indexes: Readonly<Record<string, IndexSchema>>;
  /**
   * Whether the table tells of its changes, for functions of type `stream`. It is stated here, and does not follow from
   * these functions: a table that stops telling forgets at once what nobody was told yet.
   */
  readonly changes?: true;
}

/** Slim entries of a block's records, by their cell. `block-list.ts` locates pages with them. */
const cells: IndexSchema = { scope: "local", partitionKey: "pk", sortKey: "cell", include: ["day"] };

/** Jobs still queued, by when the sweeper is to look after them, spread over a few partitions. Sparse. */
const queued: IndexSchema = {
  scope: "global",
  partitionKey: "queued_shard",
  sortKey: "check_at",
  include: [],
};

/** Orders that wait for the warehouse, by what is to be done, oldest first; see `order-work.ts`. Sparse. */
const work: IndexSchema = { scope: "global", partitionKey: "work", sortKey: "work_at", include: [] };

/** Nodes and slots that are to be folded, by the partition of their owner; see `lists/fold.ts`. Sparse. */
const unfolded: IndexSchema = { scope: "global", partitionKey: "unfolded", sortKey: "pk", include: [] };

/** All webhooks, for the schedule that wakes those with something to send. Their deliveries are not in it. */
const wakeable: IndexSchema = { scope: "global", partitionKey: "wake_shard", sortKey: "pk", include: [] };

export const tableSchemas: Readonly<Record<TableName, TableSchema>> = {
  identity: { variable: "TABLE_IDENTITY", indexes: {} },
  orders: { variable: "TABLE_ORDERS", indexes: { cells, work }, changes: true },
  inventory: { variable: "TABLE_INVENTORY", indexes: { cells }, changes: true },
  jobs: { variable: "TABLE_JOBS", indexes: { queued }, changes: true },
  tallies: { variable: "TABLE_TALLIES", indexes: { unfolded } },
  directory: { variable: "TABLE_DIRECTORY", indexes: {} },
  events: { variable: "TABLE_EVENTS", indexes: {} },
  webhooks: { variable: "TABLE_WEBHOOKS", indexes: { wakeable }, changes: true },
  secrets: { variable: "TABLE_SECRETS", indexes: {} },
};

export const tableNames = [
  "identity",
  "orders",
  "inventory",
  "jobs",
  "tallies",
  "directory",
  "events",
  "webhooks",
  "secrets",
] as const;

/** An index of a table. @throws where the table has none of this name */
export function indexOf(table: TableName, name: string): IndexSchema {
  const index = tableSchemas[table].indexes[name];
  if (index === undefined) throw new Error(`the table ${table} has no index ${name}`);
  return index;
}
