/** Events of an account's feed, stored as the publisher stores them: for tests of what comes after. */
import { readHead } from "../../shared/data/feed.ts";
import { publicationWrites, readPublished } from "../../shared/data/publishing.ts";
import type { Event } from "../../shared/domain/events/event.ts";
import { transact } from "../../shared/store/transact.ts";
import type { Owner } from "./flows.ts";
import { unique } from "./records.ts";

/** Adds events of these types to the feed, one of each. */
export async function published(
  { db, accountId }: Owner,
  ...types: readonly string[]
): Promise<readonly Event[]> {
  const now = new Date().toISOString();
  const [{ sequence }, { head }] = await Promise.all([
    readHead(db, accountId, now),
    readPublished(db, accountId, [], []),
  ]);
  const events = types.map(
    (type, position): Event => ({
      id: unique("evt"),
      sequence: sequence + position + 1,
      type,
      version: "2026-11-22",
      occurred_at: now,
      account_id: accountId,
      subject: { kind: type.split(".")[0] ?? type, id: "1000" },
      by: null,
      data: { text: "Łukasz 🧦" },
      previous: null,
    }),
  );
  await transact(db, publicationWrites(accountId, head, { events, sources: [], levels: [] }, now));
  return events;
}
