/**
 * Publishes events: a change of a stored item becomes events of its account's feed, which webhooks send to
 * their receivers.
 *
 * 1. A write changes an item. The table's stream delivers the change to `functions/events/publish-events.ts`
 * (`ItemChange`). 2. The `events.ts` of the record's feature emits the events of the change
 * (`PendingEvents`). 3. `publish` groups them by account and cuts them into batches that a transaction holds
 * (`batchesOf`). 4. It reads the state of the account's feed: its head, which changes are published, stock
 * levels (`FeedState`). 5. It drops changes that are published already, and gives the events ids and
 * sequences (`sequenced`). 6. One transaction stores the batch and moves the head (`feedWrites`). From then
 * on `GET /events` shows the events. 7. The account's webhooks are put on the queue of the sender
 * (`DispatchRequest`). 8. The sender takes the lease of a webhook (`runDispatch`) and reads the events that
 * it has to send (`selectBatch`). 9. It posts them to the receiver (`postBatch`).
 * 10. It stores the deliveries with their outcome, and how far the webhook has come (`recordBatch`).
 *
 * A stream delivers the changes of an item in their order, and some more than once. The events of a change
 * are stored together with the change's name. A publisher first looks for the names, then stores on the
 * condition that the head has not moved since. So the events of a change are stored exactly once.
 */

import { forEachConcurrently } from "../common/concurrency.ts";
import { feedHeadOf } from "../events/feed-repository.ts";
import { type EventKind, type PendingEvents, stockPlacesIn } from "../events/kind.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { transact, untilFresh } from "../store/dynamodb/transact.ts";
import type { ItemChange } from "../streams/change.ts";
import { eventKinds } from "./event-kinds.ts";
import { expectSameHead, type FeedState, feedWrites, readFeedState } from "./feed-state.ts";
import type { SoughtChange } from "./published-changes.ts";
import { batchesOf, itemsAdded, sequenced } from "./sequencing.ts";

type EmittedEvents = PendingEvents & SoughtChange;

/**
 * Publishes the events of changes, account by account. An account that fails does not delay the others; its
 * error is thrown at the end. `published` is called for each account that has new events.
 */
export async function publish(
  db: Database,
  changes: readonly ItemChange[],
  published: (accountId: number) => Promise<void>,
): Promise<{ readonly accounts: number; readonly events: number }> {
  const byAccount = Map.groupBy(await emittedBy(db, changes), ({ account_id }) => account_id);
  const figures = { accounts: 0, events: 0 };
  const failures: unknown[] = [];
  await forEachConcurrently(byAccount, async ([accountId, emitted]) => {
    let count = 0;
    try {
      for (const batch of batchesOf(emitted)) count += await publishBatch(db, accountId, batch);
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

const isOfKind = ({ changesOf: { table, prefixes } }: EventKind, { table: changed, key }: ItemChange) =>
  changed === table && prefixes.some((prefix) => key.pk.startsWith(prefix));

/** The events of changes, in order. A change that occurs twice in a batch counts once. */
async function emittedBy(db: Database, changes: readonly ItemChange[]): Promise<readonly EmittedEvents[]> {
  const byChange = new Map<string, EmittedEvents>();
  for (const kind of eventKinds) {
    const own = changes.filter((change) => isOfKind(kind, change));
    const emitted = await kind.emit(db, own);
    for (const [position, { id, at }] of own.entries()) {
      const pending = emitted[position];
      if (pending !== undefined) byChange.set(id, { ...pending, changed_at: at });
    }
  }
  const inOrder = changes.flatMap(({ id }) => byChange.get(id) ?? []);
  return [...new Map(inOrder.map((one) => [one.source, one])).values()];
}

/**
 * A batch that adds at most this many items is stored without checking the head again, because a failed
 * transaction of that size costs less than the checks.
 */
const maxUncheckedItems = 2;

/** Publishes a batch, without the changes that are published already. @returns how many events were stored */
const publishBatch = (db: Database, accountId: number, batch: readonly EmittedEvents[]): Promise<number> =>
  untilFresh(async () => {
    const feed = await readFeedState(db, accountId, batch, batch.flatMap(stockPlacesIn));
    const fresh = batch.filter(({ source }) => !feed.has(source));
    if (fresh.length === 0) return 0;
    if (itemsAdded(fresh) > maxUncheckedItems) await expectSameHead(db, accountId, feed);
    return storeEvents(db, accountId, fresh, feed);
  });

/**
 * Appends the events of changes to the feed. @returns the number of events
 * @throws Stale if another publisher has stored events of the account since `feed` was read
 */
export async function storeEvents(
  db: Database,
  accountId: number,
  pending: readonly PendingEvents[],
  feed: FeedState,
): Promise<number> {
  const { sequence } = feedHeadOf(feed.head, feed.read_at);
  const { events, levels } = sequenced(pending, feed, sequence);
  await transact(db, feedWrites(accountId, feed, { events, levels, changes: pending }));
  return events.length;
}
