/**
 * Publishes events: a change of a stored item becomes events of its account's feed, which webhooks send to
 * their receivers.
 *
 *  1. A write changes an item. The table's stream delivers the change (`shared/streams/stream.ts`) to
 *     `functions/events/publish-events.ts`.
 *  2. `publish` looks which records have changes that are set aside (`set-aside.ts`).
 *  3. The `events.ts` of the record's feature emits the events of the change (`PendingEvents`).
 *  4. They are grouped by account and cut into batches that a transaction holds (`batchesOfEvents`).
 *  5. The state of the account's feed is read: its head and stock levels (`FeedState`).
 *  6. Changes that are published already are dropped (`published-changes.ts`).
 *  7. The others' events are given ids and sequences (`numberEvents`).
 *  8. One transaction stores the batch and moves the head (`feedWrites`). From then on `GET /events` shows
 *     the events, and the publisher returns.
 *  9. The account's webhooks are put on the queue of the sender (`shared/webhooks/sending/queue.ts`).
 * 10. `functions/jobs/send-webhooks.ts` takes the lease of a webhook (`runDispatch` of `dispatch.ts`).
 * 11. It selects retries and new events of the feed (`selectBatch` of `batch.ts`).
 * 12. It signs them (`signature.ts`) and posts them to the receiver (`post.ts`).
 * 13. What the receiver answered decides about each delivery (`delivery.ts`), and about its health
 *     (`health.ts`).
 * 14. One transaction stores the deliveries, and how far the webhook has come (`recordBatch`).
 * 15. Once nothing is left to send, the lease is released, and a run is requested for the next retry.
 *
 * A stream delivers the changes of an item in their order, and some more than once. The events of a change
 * are stored together with the change's name. A publisher first looks for the names, then stores on the
 * condition that the head has not moved since. So the events of a change are stored exactly once.
 *
 * A change that can't be published, because an item that decides about it is unreadable, is set aside
 * (`set-aside.ts`), and the others go on. Only if the database fails, the batch is delivered again.
 */

import { mapConcurrently } from "../common/concurrency.ts";
import { type EventKind, type PendingEvents, stockKeysIn } from "../events/kind.ts";
import { withKnownErasure } from "../orders/storage/erased-order.ts";
import { logger } from "../runtime/log.ts";
import { sendMetrics } from "../runtime/metrics.ts";
import { changesSetAside } from "../runtime/shared-names.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined } from "../store/dynamodb/keys.ts";
import { isTemporary } from "../store/dynamodb/temporary.ts";
import { transact, untilFresh } from "../store/dynamodb/transact.ts";
import { requestIdAttribute, type Write } from "../store/dynamodb/writes.ts";
import { type ItemChange, inCurrentLayout } from "../streams/change.ts";
import { eventKinds } from "./event-kinds.ts";
import type { FeedMemories } from "./feed-memory.ts";
import { expectSameHead, type FeedState, feedWrites, readFeedState } from "./feed-state.ts";
import type { SoughtChange } from "./published-changes.ts";
import { batchesOfEvents, itemsAdded, numberEvents } from "./sequencing.ts";
import { reasonOf, recordNameOf, recordsSetAside, setAside } from "./set-aside.ts";

export type EmittedEvents = PendingEvents & SoughtChange;

/** What a change emits (undefined: no events), or why that is unknown. */
type Emission = { readonly emitted: EmittedEvents | undefined } | { readonly error: unknown };

/** A change that can't be published. Without an error, it only follows another one of its record. */
interface Unpublished {
  readonly change: ItemChange;
  readonly error?: unknown;
}

type PublishFigures = Readonly<Record<"accounts" | "events" | "set_aside", number>>;

/**
 * Publishes the events of changes, account by account. Changes that can't be published are set aside, with
 * the later ones of their records. `onPublished` is called for each account that has new events, and must not
 * throw. `memories` is what the instance knows from earlier runs.
 * @throws if the database fails. An account that fails does not delay the others.
 */
export async function publish(
  db: Database,
  changes: readonly ItemChange[],
  onPublished: (accountId: number) => Promise<void>,
  memories: FeedMemories = new Map(),
): Promise<PublishFigures> {
  const [aside, emissions] = await Promise.all([recordsSetAside(db, changes), emissionsOf(db, changes)]);
  const { publishable, unpublished } = divideChanges(changes, emissions, aside);
  const byAccount = [...Map.groupBy(publishable, ({ emitted }) => emitted.account_id)];
  const runs = await mapConcurrently(byAccount, async ([accountId, some]) => {
    const run: AccountRun = { db, memories, accountId, events: 0, unpublished: [], failures: [] };
    try {
      for (const batch of batchesOfEvents(some, ({ emitted }) => emitted)) await publishReadable(run, batch);
    } catch (error) {
      run.failures.push(error);
    }
    if (run.events > 0) await onPublished(accountId);
    return run;
  });
  const set_aside = await keepAllAside(db, [...unpublished, ...runs.flatMap((run) => run.unpublished)]);
  const failures = runs.flatMap((run) => run.failures);
  if (failures.length > 0) throw failures[0];
  const published = runs.filter(({ events }) => events > 0);
  const events = published.reduce((sum, run) => sum + run.events, 0);
  return { accounts: published.length, events, set_aside };
}

interface Publishable {
  readonly change: ItemChange;
  readonly emitted: EmittedEvents;
}

/**
 * Separates the changes with events from those to set aside: of a record in `aside`, and from a record's
 * first unreadable change on. A change that occurs twice counts once.
 */
function divideChanges(
  changes: readonly ItemChange[],
  emissions: ReadonlyMap<string, Emission>,
  aside: ReadonlySet<string>,
) {
  const publishable = new Map<string, Publishable>();
  const unpublished: Unpublished[] = [];
  const blocked = new Set(aside);
  for (const change of changes) {
    const emission = emissions.get(change.id);
    const record = recordNameOf(change);
    if (blocked.has(record)) unpublished.push({ change });
    else if (emission !== undefined && "error" in emission) {
      unpublished.push({ change, ...emission });
      blocked.add(record);
    } else if (emission?.emitted !== undefined)
      publishable.set(emission.emitted.source, { change, emitted: emission.emitted });
  }
  return { publishable: publishable.values(), unpublished };
}

/**
 * Sets changes aside, and counts those that were not set aside before: a stream delivers some changes again.
 * If one fails, those before it are counted as well, because they will not be new at the next delivery.
 */
async function keepAllAside(db: Database, unpublished: readonly Unpublished[]): Promise<number> {
  let kept = 0;
  try {
    for (const one of unpublished) if (await keepAside(db, one)) kept += 1;
  } finally {
    if (kept > 0) sendMetrics({ unit: "Count", values: { [changesSetAside]: kept } });
  }
  return kept;
}

/**
 * Sets a change aside and logs its record's key, which holds only ids.
 * @returns whether it was not set aside before
 */
async function keepAside(db: Database, { change, error }: Unpublished): Promise<boolean> {
  const { id, table, key, after = {} } = change;
  const reason = error === undefined ? null : reasonOf(error);
  if (!(await setAside(db, await withKnownErasure(db, change), reason))) return false;
  const fields = { change: id, table, key, request_id: after[requestIdAttribute], reason };
  if (reason === null) logger.warn("change set aside behind an earlier one of its record", fields);
  else logger.error("change set aside: it can't be published", fields);
  return true;
}

const isOfKind = ({ changesOf: { table, prefixes } }: EventKind, { table: changed, key }: ItemChange) =>
  changed === table && prefixes.some((prefix) => key.pk.startsWith(prefix));

/** What changes emit, by their ids. @throws if the database fails */
async function emissionsOf(
  db: Database,
  changes: readonly ItemChange[],
): Promise<ReadonlyMap<string, Emission>> {
  const byChange = new Map<string, Emission>();
  for (const kind of eventKinds) {
    const own = changes.filter((change) => isOfKind(kind, change));
    const emissions = await emit(db, kind, own);
    for (const [position, { id }] of own.entries()) {
      const emission = emissions[position];
      if (emission !== undefined) byChange.set(id, emission);
    }
  }
  return byChange;
}

/** What one change emits. @throws if the database fails */
export async function emissionOf(db: Database, change: ItemChange): Promise<Emission> {
  return (await emissionsOf(db, [change])).get(change.id) ?? { emitted: undefined };
}

/** Emits the events of changes together, or one by one if that fails. */
async function emit(
  db: Database,
  kind: EventKind,
  changes: readonly ItemChange[],
): Promise<readonly Emission[]> {
  try {
    const readable = changes.map((change) => inCurrentLayout(db, change));
    const pending = await kind.emit(db, readable);
    return changes.map(({ at }, position): Emission => {
      const one = pending[position];
      return { emitted: one && { ...one, changed_at: at } };
    });
  } catch (error) {
    if (isTemporary(error)) throw error;
    if (changes.length === 1) return [{ error }];
  }
  const emissions: Emission[] = [];
  for (const change of changes) emissions.push(...(await emit(db, kind, [change])));
  return emissions;
}

/** The progress of one account's run. */
interface AccountRun {
  readonly db: Database;
  readonly memories: FeedMemories;
  readonly accountId: number;
  /** The number of stored events. */
  events: number;
  /** Changes that can't be published, and the later ones of their records. */
  readonly unpublished: Unpublished[];
  /** Errors of the database. */
  readonly failures: unknown[];
}

/**
 * Publishes a batch of an account's changes together, or one by one if that fails because of the data.
 * @throws if the database fails
 */
async function publishReadable(run: AccountRun, batch: readonly Publishable[]): Promise<void> {
  const { db, memories, accountId, unpublished } = run;
  const blocked = new Set(unpublished.map(({ change }) => recordNameOf(change)));
  const { behind = [], open = [] } = Object.groupBy(batch, ({ change }) =>
    blocked.has(recordNameOf(change)) ? "behind" : "open",
  );
  unpublished.push(...behind.map(({ change }) => ({ change })));
  const [first, ...others] = open;
  if (first === undefined) return;
  const emitted = open.map((one) => one.emitted);
  try {
    run.events += await publishBatch(db, accountId, emitted, { memories });
  } catch (error) {
    if (isTemporary(error)) throw error;
    if (others.length === 0) unpublished.push({ change: first.change, error });
    else for (const one of open) await publishReadable(run, [one]);
  }
}

/** Up to this many items, a transaction that fails costs less than checking the head again. */
const maxUncheckedItems = 2;

/**
 * Publishes the new changes of a batch, with `extraWrites`.
 * @returns the number of stored events
 */
export const publishBatch = (
  db: Database,
  accountId: number,
  batch: readonly EmittedEvents[],
  {
    extraWrites = [],
    memories,
  }: { readonly extraWrites?: readonly Write[]; readonly memories?: FeedMemories },
): Promise<number> =>
  untilFresh(db, async () => {
    const feed = await readFeedState(db, accountId, batch, batch.flatMap(stockKeysIn), memories);
    const fresh = batch.filter(({ source }) => !feed.has(source));
    if (fresh.length === 0) return 0;
    if (itemsAdded(fresh) > maxUncheckedItems) await expectSameHead(db, accountId, feed);
    return storeEvents(db, accountId, fresh, feed, extraWrites);
  });

/** Appends events to the feed. @returns their number @throws Stale if it has moved since it was read */
export async function storeEvents(
  db: Database,
  accountId: number,
  pending: readonly EmittedEvents[],
  feed: FeedState,
  extraWrites: readonly Write[] = [],
): Promise<number> {
  const { sequence } = feed.head;
  const { events, levels } = numberEvents(pending, feed, sequence);
  await transact(db, [...feedWrites(accountId, feed, { events, levels, changes: pending }), ...extraWrites]);
  logger.info("events published", {
    account_id: accountId,
    first: sequence + 1,
    last: sequence + events.length,
    records: [...new Set(events.map(({ subject: { kind, id } }) => joined(kind, id)))],
    request_ids: [...new Set(events.flatMap(({ request_id }) => request_id ?? []))],
  });
  return events.length;
}
