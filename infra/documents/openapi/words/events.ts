/** Words of events. */
import type { Words } from "./word.ts";

export const events = {
  after: ["The sequence after which to begin. Without it, the oldest event that is kept is the first.", 0],
  "listEvents.before": [
    "With `order=desc`: the sequence before which to go on. Without it, the newest event is the first.",
    57,
  ],
  "listEvents.order": ["`asc` reads from `after` on, `desc` from the newest event back.", "asc"],
  "listEvents.limit": ["The maximum number of events to return.", 100],
  types: [
    "Types of events, with commas between: single types, all of a kind (`order.*`), or all (`*`).",
    "order.created,stock.changed",
  ],
  "listEvents.subject": ["The record that the events are about: its kind and id.", "order:1000"],
  wait: ["Seconds that the call waits for an event if there is none yet.", 0],
  "Event.id": ["Id of the event, the same however often it is sent.", "evt_7iVX0nS2yXv1n8c3Qk0zLw2P"],
  sequence: ["Number of the event in its account: from 1, without a gap.", 57],
  type: ["What happened.", "order.created"],
  "Event.version": ["The day since which events of this kind have had this shape.", "2026-11-22"],
  occurred_at: ["When it happened (UTC)."],
  "Event.by": ["Who did it; null if the record does not state it.", "account:100"],
  subject: ["What the event is about."],
  "subject.kind": ["Kind of the record.", "order"],
  "subject.id": ["Id of the record.", "1000"],
  "Event.data": ["The record after the change, as it is read; null if it is too large for an event."],
  previous: [
    "The earlier values of the fields that changed; null for a new record, or if they are too large.",
  ],
  feed: ["Where to continue in the feed, where it ends and begins, and how far it is behind."],
  next_after: ["The `after` of the next call. With `order=desc`, of a call for events newer than these.", 57],
  "feed.next_before": [
    "With `order=desc`: the `before` of the next call; null if there is no older event.",
    57,
  ],
  latest: ["Sequence of the account's latest event; 0 if there is none.", 57],
  oldest: ["Sequence of the oldest retained event; the next one if none is retained.", 1],
  lag_seconds: [
    "Age of the oldest change that is not yet an event, in whole seconds, as measured by the latest publication; 0 if events are up to date.",
    0,
  ],
} as const satisfies Words;
