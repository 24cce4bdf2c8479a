import * as z from "zod/mini";
import { eventEnvelope, eventSubject } from "../domain/events/event.ts";
import type { EventKind } from "./kind.ts";
import { eventKinds } from "./kinds/index.ts";

/** An event of one kind as clients see it. */
const recordOf = ({ subject, types, record }: EventKind) =>
  z.object({
    ...eventEnvelope,
    type: z.enum(Object.keys(types)),
    subject: z.extend(eventSubject, { kind: z.literal(subject) }),
    /** The record after the change; null where it is too large for an event. */
    data: z.nullable(record),
    /** The earlier values of the fields that changed; null for a new record, and where they are too large. */
    previous: z.nullable(z.record(z.string(), z.unknown())),
  });

/** An event as clients see it: in the feed, and as the body of a webhook. */
export const eventRecord = z.union(eventKinds.map(recordOf));
