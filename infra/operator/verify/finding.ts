/** The findings of a verification, and its parameters. */

import { replenishmentList } from "../../../shared/inbound/inbound-repository.ts";
import { orderList } from "../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { Key } from "../../../shared/store/dynamodb/keys.ts";
import type { NamedList } from "../../../shared/store/lists/block-list.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import type { Block } from "../list-repair/all-blocks.ts";

export interface Deviation {
  readonly record: string;
  /** The part of the record, in words. */
  readonly what: string;
  readonly actual: string | number;
  readonly expected: string | number;
}

interface Difference extends Deviation {
  readonly kind: "difference";
  /** Nothing is repaired unless a repair is requested; `by_hand` is left to a person. */
  readonly state: "found" | "repaired" | "by_hand";
  readonly next?: string;
  /** Whether a repair is possible that discards what points at something lost: see `accepted`. */
  readonly isAcceptable?: true;
}

/**
 * A record that could not be verified: it was written to without a pause (`busy`), or records that decide
 * about it are missing or unreadable (`unclear`).
 */
export interface Inconclusive {
  readonly kind: "inconclusive";
  readonly record: string;
  readonly why: "busy" | "unclear";
}

/**
 * Items that this release, or the one after it, can't read, grouped by the beginning of their partition keys.
 */
export interface UnknownItems {
  readonly kind: "unknown";
  /**
   * `kind`: this release stores no such items. `layout`: it can't read their layout. `left`: a migration did
   * not move them.
   */
  readonly what: "kind" | "layout" | "left";
  readonly table: TableName;
  /** The partition keys up to the first `#`. */
  readonly begins: string;
  readonly layout: string;
  readonly count: number;
  readonly example: Key;
}

export type Finding = Difference | Inconclusive | UnknownItems;

export interface Pace {
  /**
   * How long a transaction may take to become visible to every reader, including through an index. DynamoDB
   * takes a few ms, up to a second for an index, and states no limit.
   */
  readonly settleMs: number;
  /** How long records that look wrong are read again while they keep changing. */
  readonly retryBudgetMs: number;
}

export interface Verification extends Pace {
  readonly db: Database;
  /** All accounts if it is undefined. */
  readonly accountId: number | undefined;
  /** Who requested the repair. Without it, nothing is written. */
  readonly repairer?: string | undefined;
  /**
   * Titles of records about which the repairer accepts a loss: what points at something lost is discarded.
   */
  readonly accepted?: ReadonlySet<string> | undefined;
  readonly report: (finding: Finding) => void;
  /** Segments of a table that are read concurrently; each costs at least one call. */
  readonly segments?: number | undefined;
  readonly onRead?: ((page: ReadPage) => void) | undefined;
}

export const isInScope = ({ accountId }: Pick<Verification, "accountId">, account: unknown): boolean =>
  accountId === undefined || accountId === account;

/** The account of a list's owner. The owner of a list of attributes begins with its account. */
export const accountIn = (owner: string): number => Number.parseInt(owner, 10);

export interface ReadPage {
  readonly table: TableName;
  readonly items: number;
  /** Read units that DynamoDB charged. */
  readonly units: number;
}

export const claimingLists: ReadonlySet<string> = new Set(
  [orderList, replenishmentList].map(({ name }) => name),
);

export const blockTitle = ({ name }: NamedList, { owner, block }: Block): string =>
  `list ${name}, block ${block} of ${owner}`;

/** What a person does about a lost record. */
export const restoreIt = "restore it from a backup";
export const restoreOrCancel = "restore it from a backup, or cancel what refers to it";

/** Something that a record needs and that is not there. */
export const missing = (record: string, what: string, expected = "there"): Deviation => ({
  record,
  what,
  actual: "not there",
  expected,
});

/** An unreadable item of a record. Its content is not shown. */
export const unreadableItem = (record: string, { pk, sk }: Key): Deviation => ({
  record,
  what: `the item ${pk} ${sk}`,
  actual: "unreadable",
  expected: "readable",
});

export const reportUnreadable = ({ report }: Pick<Verification, "report">, record: string, key: Key): void =>
  report({ kind: "difference", ...unreadableItem(record, key), state: "by_hand", next: restoreIt });

/** Reports that records which decide about this one are missing or unreadable. */
export const reportUnclear = ({ report }: Pick<Verification, "report">, record: string): void =>
  report({ kind: "inconclusive", record, why: "unclear" });
