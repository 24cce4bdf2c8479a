/**
 * The tables and their indexes, as data: the stacks create them and the repositories name them from this.
 * Every table has the string keys `pk` and `sk`, and `expires_at` (epoch seconds) as its time-to-live
 * attribute.
 */

/** See `tableSchemas`. Stored names can't change, so some are older than the words of the code. */
export type TableName = (typeof tableNames)[number];

/** A local index shares the table's `pk` and can be read consistently. */
export interface IndexSchema {
  readonly scope: "local" | "global";
  /** A local index has the table's own. */
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly include: readonly string[];
}

export interface TableSchema {
  /** The environment variable that holds the name of the deployed table. */
  readonly variable: string;
  readonly indexes: Readonly<Record<string, IndexSchema>>;
  /**
   * Whether the table has a change stream, for functions of type `stream`. This is stated rather than derived
   * from those functions, because disabling a stream discards the changes that are not published yet.
   */
  readonly changes?: true;
}

/** The records of a block by facet key, stored as `cell`. `lists/locate.ts` finds pages with it. */
const cells: IndexSchema = { scope: "local", partitionKey: "pk", sortKey: "cell", include: ["day"] };

/** What is due, by its time (`check_at`): jobs, sagas that count as abandoned, holds that end. Sparse. */
const queued: IndexSchema = {
  scope: "global",
  partitionKey: "queued_shard",
  sortKey: "check_at",
  include: [],
};

/** Orders that wait for the warehouse, by the work to do, oldest first; see `order-status.ts`. Sparse. */
const work: IndexSchema = { scope: "global", partitionKey: "work", sortKey: "work_at", include: [] };

/** Shards and nodes of counters that are due for a roll-up, by owner; see `lists/counters`. Sparse. */
const unfolded: IndexSchema = { scope: "global", partitionKey: "unfolded", sortKey: "pk", include: [] };

/** Webhooks, for the schedule that starts those with something to send. Sparse: deliveries are not in it. */
const wakeable: IndexSchema = { scope: "global", partitionKey: "wake_shard", sortKey: "pk", include: [] };

/** Counters and lookup indexes are apart, because DynamoDB never splits a partition with a local index. */
export const tableSchemas: Readonly<Record<TableName, TableSchema>> = {
  /** Accounts, credentials, sessions, users, and the registries. */
  identity: { variable: "TABLE_IDENTITY", indexes: {} },
  /** Orders with their histories, and the counts of picked orders. */
  orders: { variable: "TABLE_ORDERS", indexes: { cells, work }, changes: true },
  /** Products and what names them, stock, bins, movements, replenishments, returns, attributes. */
  inventory: { variable: "TABLE_INVENTORY", indexes: { cells }, changes: true },
  /** Jobs; sagas (`steps#`); idempotency keys with their receipts; holds of stock. */
  jobs: { variable: "TABLE_JOBS", indexes: { queued }, changes: true },
  /** Counters of lists: their shards (`slot#`), nodes and roll-ups (`folds`), and the allocators of ids. */
  tallies: { variable: "TABLE_TALLIES", indexes: { unfolded } },
  /** Lookup indexes; serials with their batches and marks. */
  directory: { variable: "TABLE_DIRECTORY", indexes: {} },
  /** Events and feeds, published stock levels, and changes that are set aside. */
  events: { variable: "TABLE_EVENTS", indexes: {} },
  /** Webhooks, their progress, and their deliveries. */
  webhooks: { variable: "TABLE_WEBHOOKS", indexes: { wakeable }, changes: true },
  /** The secrets of webhooks, which only their sender can read. */
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

/** @throws if the table has no index of this name */
export function indexOf(table: TableName, name: string): IndexSchema {
  const index = tableSchemas[table].indexes[name];
  if (index === undefined) throw new Error(`the table ${table} has no index ${name}`);
  return index;
}
