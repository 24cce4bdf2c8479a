/** What a verification finds, and how it goes about it. */
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { Key } from "../../../shared/store/dynamodb/keys.ts";
import {
  binContentList,
  type Named,
  orderList,
  productList,
  replenishmentList,
  stockList,
} from "../../../shared/store/lists/definitions.ts";
import type { Block } from "../../../shared/store/lists/repair/rebuild-context.ts";
import type { TableName } from "../../../shared/store/tables.ts";

/** How something is, and how it ought to be. */
export interface Deviation {
  /** Which record it is of. */
  readonly record: string;
  /** What of the record, in words. */
  readonly what: string;
  readonly actual: string | number;
  readonly expected: string | number;
}

/** Something that is not as it ought to be. */
export interface Difference extends Deviation {
  readonly kind: "difference";
  /** What became of it. Nothing is repaired without being asked for; `by_hand` can't be repaired by a command. */
  readonly state: "found" | "repaired" | "by_hand";
}

/**
 * Something of which nothing is known: it was written to without a pause (`busy`), or records that decide about it can't be
 * found or read (`unclear`).
 */
export interface Inconclusive {
  readonly kind: "inconclusive";
  readonly record: string;
  readonly why: "busy" | "unclear";
}

/** Items that the release after this one could not read, or this one can't, by how their keys begin. */
export interface UnknownItems {
  readonly kind: "unknown";
  /** They belong to no kind that this release stores; it can't read their layout; or a migration has left them behind. */
  readonly what: "kind" | "layout" | "left";
  readonly table: TableName;
  /** The partition keys up to the first `#`. */
  readonly begins: string;
  readonly layout: string;
  readonly count: number;
  readonly example: Key;
}

export type Finding = Difference | Inconclusive | UnknownItems;

/** How a verification waits for writers, in milliseconds. */
export interface Pace {
  /**
   * How long all of a transaction may take to show to every reader, an index included. DynamoDB takes a few ms, and up to a
   * second for an index; it states no limit.
   */
  readonly settle: number;
  /** How long records that look wrong are read again, where they keep changing. */
  readonly retryBudgetMs: number;
}

/** What is verified, and how. */
export interface Verification extends Pace {
  readonly db: Database;
  /** All accounts without it. */
  readonly accountId: number | undefined;
  /** Who has differences repaired; nothing is written without it. */
  readonly repairer?: string | undefined;
  readonly report: (finding: Finding) => void;
  /** Parts of a table that are read side by side; each is a call or more, however small the table is. */
  readonly segments?: number | undefined;
  /** Blocks of ids without a job, after which no more jobs are looked for; each is a call. 20 without it. */
  readonly emptyBlocks?: number | undefined;
  /** Told of each page of a table that was read. */
  readonly onRead?: ((page: ReadPage) => void) | undefined;
}

/** Whether a verification is about this account. */
export const isInScope = ({ accountId }: Pick<Verification, "accountId">, account: unknown): boolean =>
  accountId === undefined || accountId === account;

/** The account of a list's owner. An owner of attributes is named after its account. */
export const accountOf = (owner: string): number => Number.parseInt(owner, 10);

/** A page of a table. */
export interface ReadPage {
  readonly table: TableName;
  readonly items: number;
  /** Read units that DynamoDB charged for it. */
  readonly units: number;
}

/** The lists whose records decide what is right of stock. */
export const decideStock: ReadonlySet<string> = new Set(
  [orderList, replenishmentList, productList, stockList, binContentList].map(({ name }) => name),
);

/** What a block of a list is called. */
export const blockTitle = ({ name }: Named, { owner, block }: Block): string =>
  `list ${name}, block ${block} of ${owner}`;

/** An item that can't be read; `record` is what it belongs to. What it holds is not shown. */
export const unreadableItem = (record: string, { pk, sk }: Key): Deviation => ({
  record,
  what: `the item ${pk} ${sk}`,
  actual: "what can't be read",
  expected: "what can be",
});

/** Reports an item that can't be read, for people to repair. */
export const reportUnreadable = ({ report }: Pick<Verification, "report">, record: string, key: Key): void =>
  report({ kind: "difference", ...unreadableItem(record, key), state: "by_hand" });

/** Reports that nothing is known of a record, as records that decide about it can't be found or read. */
export const reportUnclear = ({ report }: Pick<Verification, "report">, record: string): void =>
  report({ kind: "inconclusive", record, why: "unclear" });
