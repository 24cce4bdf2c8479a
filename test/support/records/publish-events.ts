/** Events of an account's feed, stored as the publisher stores them: for tests of what comes after. */

import type { Event } from "../../../shared/events/event.ts";
import { feedWrites, readFeedState } from "../../../shared/publishing/feed-state.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import type { Owner } from "./flows.ts";
import { unique } from "./records.ts";

/** The type of an event, alone or with its data. */
type Content = string | Pick<Event, "type" | "data">;

/** Adds events of these types to the feed, one of each. */
export async function publishEvents(
  { db, accountId }: Owner,
  ...contents: readonly Content[]
): Promise<readonly Event[]> {
  const before = await readFeedState(db, accountId, [], []);
  const now = before.read_at;
  const { sequence } = before.head;
  const drafts = contents.map((content) =>
    typeof content === "string" ? { type: content, data: { text: "Łukasz 🧦" } } : content,
  );
  const events = drafts.map(
    ({ type, data }, position): Event => ({
      id: unique("evt"),
      sequence: sequence + position + 1,
      type,
      version: "2026-11-22",
      occurred_at: now,
      account_id: accountId,
      subject: { kind: type.split(".")[0] ?? type, id: "1000" },
      by: null,
      request_id: null,
      data,
      previous: null,
    }),
  );
  const changes = events.map(({ id, subject }) => ({ source: id, subject, changed_at: now }));
  await transact(db, feedWrites(accountId, before, { events, changes, levels: [] }));
  return events;
}
