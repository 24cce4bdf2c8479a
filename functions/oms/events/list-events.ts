import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { clock } from "../../../shared/common/clock.ts";
import * as primitive from "../../../shared/common/primitives.ts";
import { invalidAt } from "../../../shared/common/problem.ts";
import { type Event, type EventSubject, event, matchesType } from "../../../shared/events/event.ts";
import {
  type EventPage,
  type EventRequest,
  type EventStart,
  expectBeforeEnd,
  expectInFeed,
  type FeedHead,
  readEvents,
  readFeedHead,
  readSubjectEvents,
} from "../../../shared/events/feed-repository.ts";
import { eventSubjects, typeFilters } from "../../../shared/events/types.ts";
import { defineEndpointWithoutBody } from "../../../shared/http/define-without-body.ts";
import { oneOf, positive, whole } from "../../../shared/http/lists/pagination.ts";
import { severalOf } from "../../../shared/http/lists/searches.ts";
import type { AccountContext } from "../../../shared/runtime/context.ts";
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
  before: z.optional(positive()),
  order: z._default(oneOf(["asc", "desc"]), "asc"),
  limit: z._default(whole(1, 100), 100),
  types: z.optional(severalOf(typeFilters)),
  subject: z.optional(subject),
  wait: z._default(whole(0, maxWaitSeconds), 0),
});
type Query = z.output<typeof query>;

/** Where to continue in the feed, its bounds, and how far it is behind the changes. */
const feed = z.object({
  next_after: primitive.int,
  /** Of a call that reads newest first: the next `before`; null if there is no older event. */
  next_before: z.optional(z.nullable(primitive.int)),
  latest: primitive.int,
  oldest: primitive.int,
  lag_seconds: primitive.int,
});

export const { endpoint, handler } = defineEndpointWithoutBody(
  {
    method: "GET",
    path: "/apirest/v4/oms/events",
    auth: "oms",
    summary: "Read what changed: the account's events, in one order and without a gap",
    request: z.object({ query }),
    // Events are retained for a month in the shape in which they were published.
    response: z.object({ data: z.array(event), feed }),
    access: { events: "read" },
    // A waiting call occupies a function. A call with an invalid wait is rejected at once.
    weight: ({ wait }) => Math.max(1, z.safeParse(query.shape.wait, wait).data ?? 0),
  },
  async ({ query }, context) => {
    expectOneDirection(query);
    const until = clock() + query.wait * 1000;
    let looked = await readFrom(context, query);
    while (looked.data.length === 0 && clock() < until) {
      await sleep(Math.min(pollIntervalMs, until - clock()));
      looked = await readFrom(context, { ...query, after: looked.feed.next_after });
    }
    return looked;
  },
);

/** @throws Problem if a query mixes both directions of reading */
function expectOneDirection({ order, after, before, wait }: Query): void {
  if (order === "asc") {
    if (before === undefined) return;
    throw invalidAt([{ path: "before", message: "goes with order=desc only; in rising order, send after" }]);
  }
  const message = "can't be combined with order=desc, which begins at the newest event and goes on by before";
  if (after !== undefined) throw invalidAt([{ path: "after", message }]);
  if (wait > 0)
    throw invalidAt([
      { path: "wait", message: "can't be combined with order=desc, which reads older events" },
    ]);
}

/** Reads the available events. Each read has its own retry budget, because earlier ones only waited. */
const readFrom = ({ db, account_id }: AccountContext, query: Query) =>
  withBudget(async () => {
    const head = await readFeedHead(db, account_id, new Date().toISOString());
    const { types, limit } = query;
    const isWanted = types && (({ type }: Event) => matchesType(types, type));
    const start = startOf(query, head);
    const { events, examined, isEnd } = await read(
      db,
      account_id,
      query.subject,
      { ...start, limit, isWanted },
      head,
    );
    const { sequence, oldest, lagSeconds: lag_seconds } = head;
    const position =
      "after" in start
        ? { next_after: examined }
        : { next_after: start.before - 1, next_before: isEnd ? null : examined };
    // Events may be stored after the head was read. The last one found is the latest then.
    const latest = Math.max(sequence, position.next_after);
    return { data: [...events], feed: { ...position, latest, oldest, lag_seconds } };
  });

/**
 * Where a call begins.
 * @throws Problem if events from there on are no longer retained, or do not exist yet
 */
function startOf({ order, after, before }: Query, head: FeedHead): EventStart {
  if (order === "asc") return { after: after === undefined ? head.oldest - 1 : expectInFeed(after, head) };
  return { before: before === undefined ? head.sequence + 1 : expectBeforeEnd(before, head), head };
}

/** A feed without anything more to read costs only the read of its head. */
function read(
  db: Database,
  accountId: number,
  subject: EventSubject | undefined,
  request: EventRequest,
  { sequence: latest, oldest }: FeedHead,
): Promise<EventPage & { readonly isEnd: boolean }> {
  const isAtEnd = "after" in request ? request.after === latest : request.before === oldest;
  if (isAtEnd) return Promise.resolve({ events: [], examined: latest, isEnd: true });
  return subject === undefined
    ? readEvents(db, accountId, request)
    : readSubjectEvents(db, accountId, subject, { ...request, latest });
}
