/** What the two steps of a rebuild share; `rebuild.ts` explains them. */
import type { Database } from "../../dynamodb/database.ts";
import { Busy } from "../../dynamodb/retry.ts";
import { commit } from "../../dynamodb/transact.ts";
import type { Write } from "../../dynamodb/writes.ts";

/** A block of a list, and whose it is. */
export interface Block {
  readonly owner: string;
  readonly block: number;
}

/** How long the steps wait for writers. */
export interface Limits {
  /** How long a tally must stay unchanged before and after its block is read, in milliseconds. */
  readonly settleMs: number;
  /** When a block is left for later, by `clock`. Each step is tried at least once. */
  readonly until: number;
  /** Whether what is wrong is only found, and left as it is. */
  readonly looksOnly?: boolean;
}

/**
 * Whether all of `writes` could be stored, which else are tried later. A collision that outlasts `commit` is
 * an answer like a broken condition: in both cases others are writing to the same records.
 */
export async function isStored(db: Database, writes: readonly Write[]): Promise<boolean> {
  try {
    return (await commit(db, writes)) === undefined;
  } catch (error) {
    if (error instanceof Busy) return false;
    throw error;
  }
}
