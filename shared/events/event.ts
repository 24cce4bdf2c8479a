import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { digestOf } from "../common/strings.ts";

export const eventSubject = z.object({ kind: primitive.text, id: primitive.text });
export type EventSubject = z.output<typeof eventSubject>;

/** The fields of every event, without its data (docs/decisions.md, Events). */
export const eventEnvelope = {
  /** The same in every delivery of the event. */
  id: primitive.text,
  /** The position in the account's feed, from 1 without gaps. */
  sequence: primitive.int,
  type: primitive.text,
  /** The day on which the current shape of events of this kind was introduced. */
  version: primitive.day,
  /** ISO 8601 UTC. */
  occurred_at: primitive.time,
  account_id: primitive.int,
  subject: eventSubject,
  /** The actor who made the change; null if the record does not say. */
  by: primitive.textOrNull,
  /** The id of the call that made the change; null if no call did. */
  request_id: primitive.textOrNull,
};

export const event = z.object({
  ...eventEnvelope,
  request_id: primitive.requestId,
  /** The record after the change; null if it is too large for an event. */
  data: z.nullable(z.looseObject({})),
  /** The earlier values of the fields that changed; null for a new record, and if they are too large. */
  previous: z.nullable(z.looseObject({})),
});
export type Event = z.output<typeof event>;

/** A change emits at most one event of a type, so the id is the same in every delivery of the change. */
export const eventIdOf = (source: string, type: string): string =>
  `evt_${digestOf(source, type).slice(0, 24)}`;

/** Days for which events are retained after the day of publication (docs/decisions.md, The feed). */
export const retentionDays = 30;

/** Longer than the retention, so that no retained event is deleted early. */
export const daysStored = retentionDays + 2;

/** Whether `types` contains a type: by name, by prefix (`order.*`), or by `*` for all. */
export const matchesType = (types: readonly string[], type: string): boolean =>
  types.some(
    (one) => one === "*" || one === type || (one.endsWith(".*") && type.startsWith(one.slice(0, -1))),
  );
