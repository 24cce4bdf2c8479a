import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import {
  type EventRequest,
  type Found,
  type Head,
  readEvents,
  readEventsOf,
  readHead,
} from "../../../shared/data/feed.ts";
import { type EventSubject, namesType } from "../../../shared/domain/events/event.ts";
import { askableTypes, eventSubjects } from "../../../shared/events/kinds/index.ts";
import { eventRecord } from "../../../shared/events/record.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { whole } from "../../../shared/http/pagination.ts";
import { severalOf } from "../../../shared/http/searches.ts";
import type { AccountContext } from "../../../shared/operations/context.ts";
import { sequenceAfter } from "../../../shared/operations/sequence-after.ts";

/** Longest that a call waits for an event, in seconds. API Gateway gives up after 30. */
const longestWait = 20;

/** Milliseconds between two looks at the feed's end, which cost one read unit each. */
const betweenLooks = 500;

const subjectPattern = new RegExp(`^(${eventSubjects.join("|")}):([1-9]\\d{0,14})$`);

/** A record by its kind and id, such as `order:1000`. */
const subject = z.pipe(
  z
    .string()
    .check(z.regex(subjectPattern, `must be ${eventSubjects.map((kind) => `${kind}:id`).join(", ")}`)),
  z.transform((sent): EventSubject => {
    const [kind = "", id = ""] = sent.split(":");
    return { kind, id };
  }),
);

const query = z.object({
  after: z.optional(whole(0)),
  limit: z._default(whole(1, 100), 100),
  types: z.optional(severalOf(askableTypes)),
  subject: z.optional(subject),
  wait: z._default(whole(0, longestWait), 0),
});

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/events",
    auth: "oms",
    summary: "Read what changed: the account's events, in one order and without a gap",
    request: z.object({ query }),
    response: z.object({
      data: z.array(eventRecord),
      feed: z.object({ next_after: z.int(), latest: z.int(), oldest: z.int() }),
    }),
    access: { events: "read" },
  },
  async ({ query: { after: sent, limit, types, subject, wait } }, context) => {
    const until = performance.now() + wait * 1000;
    const began = await readHead(context.db, context.account_id, context.now);
    const isWanted: EventRequest["isWanted"] = types && (({ type }) => namesType(types, type));
    let [head, after] = [began, startOf(sent, began)];
    for (;;) {
      const request = { after, limit, isWanted };
      const found = head.sequence === after ? nothing(after) : await read(context, subject, request, head);
      if (found.events.length > 0 || performance.now() + betweenLooks > until) return answer(found, head);
      after = found.examined;
      await sleep(betweenLooks);
      head = await readHead(context.db, context.account_id, context.now);
    }
  },
);

/** The sequence after which a call reads. @throws Problem where events after `sent` are not kept any more, or not there yet */
const startOf = (sent: number | undefined, head: Head): number =>
  sent === undefined ? head.oldest - 1 : sequenceAfter(sent, head);

const nothing = (examined: number): Found => ({ events: [], examined });

const read = (
  { db, account_id }: AccountContext,
  wanted: EventSubject | undefined,
  request: EventRequest,
  { sequence: latest }: Head,
): Promise<Found> =>
  wanted === undefined
    ? readEvents(db, account_id, request)
    : readEventsOf(db, account_id, wanted, { ...request, latest });

/** Events may be stored after the end was read; then the last one that was found is the latest. */
const answer = ({ events, examined }: Found, { sequence, oldest }: Head) => ({
  data: [...events],
  feed: { next_after: examined, latest: Math.max(sequence, examined), oldest },
});

export const handler = lambda(endpoint);
