/**
 * Settles changes that the publisher has set aside: publishes them in their order, or gives them up. Changes
 * whose record can't be read are joined with the next one of the record that can: one event leads from the
 * last readable state to the next. Every step can be repeated, and the publisher may be active.
 */
import { emissionOf, publishBatch } from "../../../shared/publishing/publish.ts";
import {
  findSetAsideRecord,
  ImagesReplaced,
  imagesAsRead,
  reasonOf,
  removeSetAside,
  removeSetAsideRecord,
  type SetAsideChange,
  type SetAsideRecord,
  setAsideChanges,
} from "../../../shared/publishing/set-aside.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { Lookup } from "../../../shared/store/dynamodb/reads.ts";
import { isTemporary } from "../../../shared/store/dynamodb/temporary.ts";
import { untilFresh } from "../../../shared/store/dynamodb/transact.ts";
import { stale } from "../../../shared/store/dynamodb/writes.ts";
import type { ItemChange } from "../../../shared/streams/change.ts";

interface Settled {
  events: number;
  joined: number;
  /** Changes that were given up, with the times at which they were made. */
  lost: string[];
  left: number;
  /** Why the first of these can't be published. */
  reason: string | null;
}

/** Settles the changes of a record, also those that are set aside meanwhile. */
export const settle = (db: Database, record: Lookup, givesUp: boolean): Promise<Settled> => {
  const settled: Settled = { events: 0, joined: 0, lost: [], left: 0, reason: null };
  return untilFresh(db, async () => {
    const found = await findSetAsideRecord(db, record);
    if (found !== undefined) await settleChanges(db, found, givesUp, settled);
    return settled;
  });
};

/** @throws Stale if another change was set aside meanwhile, or a customer was erased in one that is */
async function settleChanges(
  db: Database,
  record: SetAsideRecord,
  givesUp: boolean,
  settled: Settled,
): Promise<void> {
  let open: readonly SetAsideChange[] = [];
  const giveUp = async () => {
    settled.lost.push(...open.map(({ change }) => change.at));
    await removeSetAside(db, changesOf(open));
    open = [];
  };
  for (const one of await setAsideChanges(db, record)) {
    const outcome = await publishOne(db, record, open, one);
    if (typeof outcome === "number") {
      settled.events += outcome;
      settled.joined += open.length;
      await removeSetAside(db, changesOf([...open, one]));
      open = [];
      continue;
    }
    const alone = givesUp && open.length > 0 ? await publishOne(db, record, [], one) : outcome;
    if (typeof alone === "number") {
      settled.events += alone;
      await giveUp();
      await removeSetAside(db, [one.change]);
    } else {
      if (open.length === 0) settled.reason = outcome.reason;
      open = [...open, one];
    }
  }
  if (givesUp) await giveUp();
  settled.left = open.length;
  if (open.length === 0) await removeSetAsideRecord(db, record);
}

const changesOf = (some: readonly SetAsideChange[]): readonly ItemChange[] =>
  some.map(({ change }) => change);

/**
 * Publishes a change, joined with those before it that can't be read.
 * @returns the number of events, or why it can't be published
 * @throws if the database fails; Stale if a customer was erased in the change since it was read
 */
async function publishOne(
  db: Database,
  record: SetAsideRecord,
  open: readonly SetAsideChange[],
  { change, isWhole }: SetAsideChange,
): Promise<number | { readonly reason: string }> {
  const [first] = open;
  if (!isWhole || first?.isWhole === false) return { reason: "the record is too large to be kept here" };
  if (first !== undefined && change.after === undefined) return { reason: "the record is deleted" };
  try {
    const joined = first === undefined ? change : { ...change, before: first.change.before };
    const emission = await emissionOf(db, joined);
    if ("error" in emission) return { reason: reasonOf(emission.error) };
    const { emitted } = emission;
    if (emitted === undefined) return 0;
    return await publishBatch(db, emitted.account_id, [emitted], { extraWrites: [imagesAsRead(record)] });
  } catch (error) {
    if (error instanceof ImagesReplaced) throw stale();
    if (isTemporary(error)) throw error;
    return { reason: reasonOf(error) };
  }
}
