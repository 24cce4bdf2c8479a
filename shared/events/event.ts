import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";

/** What an event is about: a kind of record, and the record's id. */
export const eventSubject = z.object({ kind: primitive.text, id: primitive.text });
export type EventSubject = z.output<typeof eventSubject>;

/** The fields of every event (docs/decisions.md, Events). */
export const eventEnvelope = {
  /** The same however often the event is delivered. */
  id: primitive.text,
  /** The position in the account's feed: from 1, without a gap. */
  sequence: primitive.int,
  type: primitive.text,
  /** The day since which events of this kind have their present shape. */
  version: primitive.text,
  /** ISO 8601 UTC. */
  occurred_at: primitive.text,
  account_id: primitive.int,
  subject: eventSubject,
  /** Who made the change; null if the record does not say. */
  by: primitive.textOrNull,
};

/** An event as it is stored: ready to be shown. */
export const event = z.object({
  ...eventEnvelope,
  /** The record after the change; null if it is too large for an event. */
  data: z.nullable(z.looseObject({})),
  /** The earlier values of the fields that changed; null for a new record, and if they are too large. */
  previous: z.nullable(z.looseObject({})),
});
export type Event = z.output<typeof event>;

/** Days that events are retained, besides the day of their publication (docs/decisions.md, The feed). */
export const retentionDays = 30;

/** Whether a type is among `types`: by its name, by a prefix (`order.*`), or by `*` for all. */
export const matchesType = (types: readonly string[], type: string): boolean =>
  types.some(
    (one) => one === "*" || one === type || (one.endsWith(".*") && type.startsWith(one.slice(0, -1))),
  );
