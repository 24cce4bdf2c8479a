/**
 * Makes events of changes, and stores them in the feeds of their accounts.
 *
 * Changes come from streams, in the order in which each item changed, and some come more than once. The events of a change
 * are stored together with a note that they are. Whoever stores events of an account reads the notes, and stores on the
 * condition that nobody has stored any meanwhile. So the events of a change are stored exactly once.
 */
import { headOf } from "../data/feed.ts";
import { type Published, publicationWrites, readPublished } from "../data/publishing.ts";
import type { StockPlace } from "../data/stock.ts";
import { bytesOf } from "../domain/bytes.ts";
import type { Database } from "../store/database.ts";
import { forEach } from "../store/side-by-side.ts";
import { transact, untilFresh } from "../store/transact.ts";
import type { Change } from "../streams/change.ts";
import type { EventKind, Happened, Moved, Tidings } from "./kind.ts";
import { eventKinds } from "./kinds/index.ts";
import { numbered } from "./numbered.ts";

/** Changes that are told in one transaction: with head and events, each takes a note, a subject and a level, of 100 items. */
const mostTogether = 32;

/** Bytes of tidings, as JSON, after which a transaction takes no more. They are compressed. */
const enoughBytes = 200_000;

/**
 * Publishes what these changes make known, account by account. An account that can't be published just now does not keep the
 * others waiting: the error is thrown once all others are. `published` is called for each account that has new events.
 */
export async function publish(
  db: Database,
  changes: readonly Change[],
  published: (accountId: number) => Promise<void>,
): Promise<{ readonly accounts: number; readonly events: number }> {
  const byAccount = Map.groupBy(await tidingsOf(db, changes), ({ account_id }) => account_id);
  const figures = { accounts: 0, events: 0 };
  const failures: unknown[] = [];
  await forEach(byAccount, async ([accountId, tidings]) => {
    let count = 0;
    try {
      for (const part of partsOf(tidings)) count += await publishPart(db, accountId, part);
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

const tellsOf = ({ changesOf: { table, prefixes } }: EventKind, change: Change): boolean =>
  change.table === table && prefixes.some((prefix) => change.key.pk.startsWith(prefix));

/** What the changes make known, in their order. */
async function tidingsOf(db: Database, changes: readonly Change[]): Promise<readonly Tidings[]> {
  const told = new Map<Change, Tidings>();
  for (const kind of eventKinds) {
    const its = changes.filter((change) => tellsOf(kind, change));
    const tidings = await kind.tell(db, its);
    for (const [position, change] of its.entries()) {
      const one = tidings[position];
      if (one !== undefined) told.set(change, one);
    }
  }
  return changes.flatMap((change) => told.get(change) ?? []);
}

/** Tidings of one account, in runs that one transaction takes. */
function partsOf(tidings: readonly Tidings[]): readonly (readonly Tidings[])[] {
  const parts: Tidings[][] = [];
  let bytes = 0;
  for (const one of tidings) {
    const part = parts.at(-1);
    const size = bytesOf(one);
    if (part === undefined || part.length === mostTogether || bytes + size > enoughBytes) {
      parts.push([one]);
      bytes = size;
    } else {
      part.push(one);
      bytes += size;
    }
  }
  return parts;
}

/** Publishes tidings of one account, without those that are published. @returns how many events were stored */
const publishPart = (db: Database, accountId: number, tidings: readonly Tidings[]): Promise<number> =>
  untilFresh(async () => {
    const now = new Date().toISOString();
    const sources = tidings.map(({ source }) => source);
    const places = tidings.flatMap(({ happened }) => happened.flatMap((one) => placeIn(one) ?? []));
    const published = await readPublished(db, accountId, sources, places);
    const fresh = [...new Map(tidings.map((one) => [one.source, one])).values()].filter(
      ({ source }) => !published.has(source),
    );
    if (fresh.length === 0) return 0;
    return storeTidings(db, accountId, fresh, published, now);
  });

/**
 * Stores the events of tidings that are not published yet, behind all that is; answers how many they are. Stale where
 * others have stored events of the account since `published` was read.
 */
export async function storeTidings(
  db: Database,
  accountId: number,
  tidings: readonly Tidings[],
  published: Published,
  now: string,
): Promise<number> {
  const { events, levels } = numbered(tidings, published, headOf(published.head, now).sequence);
  const publication = { events, levels, sources: tidings.map(({ source }) => source) };
  await transact(db, publicationWrites(accountId, published.head, publication, now));
  return events.length;
}

const placeIn = (happened: Happened | Moved): StockPlace | undefined =>
  "place" in happened ? happened.place : undefined;
