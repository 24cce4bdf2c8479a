import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { clock } from "../../../shared/common/clock.ts";
import * as primitive from "../../../shared/common/primitives.ts";
import { type EventSubject, event, matchesType } from "../../../shared/events/event.ts";
import {
  type EventPage,
  type EventRequest,
  expectInFeed,
  type FeedHead,
  readEvents,
  readFeedHead,
  readSubjectEvents,
} from "../../../shared/events/feed-repository.ts";
import { eventSubjects, typeFilters } from "../../../shared/events/types.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { whole } from "../../../shared/http/lists/pagination.ts";
import { severalOf } from "../../../shared/http/lists/searches.ts";
import type { AccountContext } from "../../../shared/lambda/context.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { withBudget } from "../../../shared/store/dynamodb/retry.ts";

/** Maximum time that a call waits for an event. API Gateway times out after 30 seconds. */
const maxWaitSeconds = 20;

/** Time between two reads of the feed's head, which cost one read unit each. */
const pollIntervalMs = 500;

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
  types: z.optional(severalOf(typeFilters)),
  subject: z.optional(subject),
  wait: z._default(whole(0, maxWaitSeconds), 0),
});

/** Where to continue in the feed, and its bounds. */
const feed = z.object({ next_after: primitive.int, latest: primitive.int, oldest: primitive.int });

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/events",
    auth: "oms",
    summary: "Read what changed: the account's events, in one order and without a gap",
    request: z.object({ query }),
    // Events are retained for a month in the shape in which they were published.
    response: z.object({ data: z.array(event), feed }),
    access: { events: "read" },
    // A waiting call occupies a function.
    weight: ({ wait }) => Number(wait) || 1,
  },
  async ({ query: { after: sent, limit, types, subject, wait } }, context) => {
    const until = clock() + wait * 1000;
    const isWanted: EventRequest["isWanted"] = types && (({ type }) => matchesType(types, type));
    const look = (from: number | undefined) => readFrom(context, from, subject, { limit, isWanted });
    let looked = await look(sent);
    while (looked.data.length === 0 && clock() + pollIntervalMs <= until) {
      await sleep(pollIntervalMs);
      looked = await look(looked.feed.next_after);
    }
    return looked;
  },
);

/** Reads the available events. Each read has its own retry budget, because earlier ones only waited. */
const readFrom = (
  { db, account_id }: AccountContext,
  sent: number | undefined,
  subject: EventSubject | undefined,
  wanted: Omit<EventRequest, "after">,
) =>
  withBudget(async () => {
    const head = await readFeedHead(db, account_id, new Date().toISOString());
    const { sequence: latest, oldest } = head;
    const request = { ...wanted, after: startOf(sent, head) };
    const { events, examined } =
      request.after === latest
        ? { events: [], examined: latest }
        : await read(db, account_id, subject, request, head);
    // Events may be stored after the head was read. The last one found is the latest then.
    const feed = { next_after: examined, latest: Math.max(latest, examined), oldest };
    return { data: [...events], feed };
  });

/**
 * The sequence after which a call reads. @throws Problem if events after `sent` are no longer retained, or do
 * not exist yet
 */
const startOf = (sent: number | undefined, head: FeedHead): number =>
  sent === undefined ? head.oldest - 1 : expectInFeed(sent, head);

const read = (
  db: Database,
  accountId: number,
  subject: EventSubject | undefined,
  request: EventRequest,
  { sequence: latest }: FeedHead,
): Promise<EventPage> =>
  subject === undefined
    ? readEvents(db, accountId, request)
    : readSubjectEvents(db, accountId, subject, { ...request, latest });

export const handler = lambda(endpoint);
