import type { Placed } from "../../common/placed.ts";
import type { AccountReader } from "../../runtime/context.ts";
import { type Outcome, type Planner, type Receipts, storeEach } from "../../store/bulk/bulk.ts";
import { allocate } from "../../store/lists/allocate.ts";
import type { BlockList } from "../../store/lists/block-list.ts";

/** A record to create, with its id. */
interface Draft<I> extends Placed<I> {
  readonly id: number;
  /** Creation time, ISO 8601. */
  readonly at: string;
}

interface Creation<I, R> {
  readonly list: BlockList;
  /** The owner of the records, as in `block-list.ts`; the account by default. */
  readonly owner?: string;
  readonly inputs: readonly Placed<I>[];
  /** Plans what to store of each draft, and the record to show. Stale drafts are planned again. */
  readonly plan: Planner<Draft<I>, R>;
}

/** Allocates ids for the records of a bulk call, and stores each atomically. @throws as `storeEach` */
export async function createEach<I, R>(
  context: AccountReader & Receipts,
  { list, owner = String(context.account_id), inputs, plan }: Creation<I, R>,
): Promise<readonly Outcome<R>[]> {
  const { firstId, at } = await allocate(context.db, list, owner, inputs.length);
  const drafts = inputs.map((input, position) => ({ ...input, id: firstId + position, at }));
  return storeEach(context.db, drafts, plan, context);
}
