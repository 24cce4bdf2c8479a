/** Shared by the two steps of a rebuild; `rebuild.ts` explains them. */
import type { Database } from "../../dynamodb/database.ts";
import { Busy } from "../../dynamodb/retry.ts";
import { commit } from "../../dynamodb/transact.ts";
import type { Write } from "../../dynamodb/writes.ts";

/** A block of a list, and its owner. */
export interface Block {
  readonly owner: string;
  readonly block: number;
}

/**
 * Whether all writes were stored. A collision that outlasts `commit` is treated like a failed condition: in
 * both cases others write to the same records, and the caller tries again later.
 */
export async function isCommitted(db: Database, writes: readonly Write[]): Promise<boolean> {
  try {
    return (await commit(db, writes)) === undefined;
  } catch (error) {
    if (error instanceof Busy) return false;
    throw error;
  }
}
