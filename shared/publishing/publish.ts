/**
 * Makes events of changes, and stores them in the feeds of their accounts.
 *
 * Changes come from streams, in the order in which each item changed, and some come more than once. The events of a change
 * are stored together with its name. Whoever stores events of an account first looks for the names, and stores on the
 * condition that nobody has stored any meanwhile. So the events of a change are stored exactly once.
 */

import { forEachConcurrently } from "../common/concurrency.ts";
import { feedHeadOf } from "../events/feed-repository.ts";
import { type EventKind, type PendingEvents, stockPlacesIn, type Told } from "../events/kind.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { transact, untilFresh } from "../store/dynamodb/transact.ts";
import type { ItemChange } from "../streams/change.ts";
import { eventKinds } from "./event-kinds.ts";
import { sequenced } from "./numbered.ts";
import { batchesOf, itemsAdded } from "./parts.ts";
import { expectSameHead, type FeedState, feedWrites, readFeedState } from "./publication.ts";

/**
 * Publishes what these changes make known, account by account. An account that can't be published just now does not keep the
 * others waiting: the error is thrown once all others are. `published` is called for each account that has new events.
 */
export async function publish(
  db: Database,
  changes: readonly ItemChange[],
  published: (accountId: number) => Promise<void>,
): Promise<{ readonly accounts: number; readonly events: number }> {
  const byAccount = Map.groupBy(
    await changeEventsOf(db, changes),
    ({ changeEvents }) => changeEvents.account_id,
  );
  const figures = { accounts: 0, events: 0 };
  const failures: unknown[] = [];
  await forEachConcurrently(byAccount, async ([accountId, told]) => {
    let count = 0;
    try {
      for (const part of batchesOf(told)) count += await publishPart(db, accountId, part);
    } catch (error) {
      failures.push(error);
    }
    if (count === 0) return;
    figures.accounts += 1;
    figures.events += count;
    await published(accountId);
  });
  if (failures.length > 0) throw failures[0];
  return figures;
}

const tellsOf = ({ changesOf: { table, prefixes } }: EventKind, change: ItemChange): boolean =>
  change.table === table && prefixes.some((prefix) => change.key.pk.startsWith(prefix));

/** What the changes make known, in their order. */
async function changeEventsOf(db: Database, changes: readonly ItemChange[]): Promise<readonly Told[]> {
  const told = new Map<ItemChange, Told>();
  for (const kind of eventKinds) {
    const its = changes.filter((change) => tellsOf(kind, change));
    const changeEvents = await kind.tell(db, its);
    for (const [position, change] of its.entries()) {
      const one = changeEvents[position];
      if (one !== undefined) told.set(change, { changeEvents: one, changed_at: change.at });
    }
  }
  return changes.flatMap((change) => told.get(change) ?? []);
}

/** Items that a publication may add without a second look at the head first. Losing so few costs less than all the looks. */
const cheaplyLost = 2;

/** Publishes the events of an account's changes, without those that are published. @returns how many events were stored */
const publishPart = (db: Database, accountId: number, told: readonly Told[]): Promise<number> =>
  untilFresh(async () => {
    const changeEvents = [
      ...new Map(told.map((one) => [one.changeEvents.source, one.changeEvents])).values(),
    ];
    const sought = told.map(({ changeEvents: one, changed_at }) => ({ ...one, changed_at }));
    const published = await readFeedState(db, accountId, sought, changeEvents.flatMap(stockPlacesIn));
    const fresh = changeEvents.filter(({ source }) => !published.has(source));
    if (fresh.length === 0) return 0;
    if (itemsAdded(fresh) > cheaplyLost) await expectSameHead(db, accountId, published);
    return storeEvents(db, accountId, fresh, published);
  });

/**
 * Stores the events of changes that are not published yet, behind all that is; answers how many they are. Stale where
 * others have stored events of the account since `published` was read.
 */
export async function storeEvents(
  db: Database,
  accountId: number,
  changeEvents: readonly PendingEvents[],
  published: FeedState,
): Promise<number> {
  const { events, levels } = sequenced(
    changeEvents,
    published,
    feedHeadOf(published.head, published.read_at).sequence,
  );
  await transact(db, feedWrites(accountId, published, { events, levels, changes: changeEvents }));
  return events.length;
}
