import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { eventEnvelope, eventSubject } from "../events/event.ts";
import type { EventKind } from "../events/kind.ts";
import { eventKinds } from "./event-kinds.ts";

const schemaOf = ({ subject, types, record }: EventKind) =>
  z.object({
    ...eventEnvelope,
    type: z.enum(Object.keys(types)),
    subject: z.extend(eventSubject, { kind: z.literal(subject) }),
    /** The record after the change; null if it is too large for an event. */
    data: z.nullable(record),
    /** The earlier values of the fields that changed; null for a new record, and if they are too large. */
    previous: z.nullable(primitive.record),
  });

/** The events of each kind as clients see them, by the first word of their types. */
export const eventRecords = new Map(
  eventKinds.map((kind) => [Object.keys(kind.types)[0]?.split(".")[0] ?? kind.subject, schemaOf(kind)]),
);

/** An event as clients see it: in the feed, and as the body of a webhook. */
export const eventRecord = z.union([...eventRecords.values()]);

/** The event that a webhook test sends. It is not part of the feed, so its sequence is 0. */
export const testEventRecord = z.object({
  ...eventEnvelope,
  type: z.literal("webhook.test"),
  subject: z.extend(eventSubject, { kind: z.literal("webhook") }),
  data: z.object({ webhook_id: primitive.int, url: primitive.text }),
  previous: z.null(),
});
