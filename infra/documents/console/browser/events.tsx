/** The feed of events: the newest first, and by long poll what happens while the page is open. */
import { type Event, ServiceError } from "order-inventory-warehouse-client";
import { useEffect, useState } from "preact/hooks";
import { typeFilters } from "../../../../shared/events/types.ts";
import { Field } from "./parts/forms.tsx";
import { Entry, Filters } from "./parts/lists.tsx";
import { href, useRoute } from "./parts/route.ts";
import { type Session, useSigned } from "./parts/session.ts";
import { counted, Empty, Failure, Json, Loading, useTitle } from "./parts/ui.tsx";
import { failureOf, isTemporary } from "./parts/use-call.ts";

interface Filter {
  readonly types?: string;
  readonly subject?: string;
}

interface Feed {
  /** The newest first. */
  readonly events: readonly Event[];
  /** How far the feed is behind the changes. */
  readonly lag: number;
  /** Where older events begin, if there are any. */
  readonly before: number | null;
}

type Client = Session["client"];
type EventPage = Awaited<ReturnType<typeof readBefore>>;

const perPage = 50;

/** How long a call waits for an event. A screen that is left may keep the call waiting for so long. */
const waitSeconds = 5;

async function readBefore(client: Client, filter: Filter, before: number | undefined, signal?: AbortSignal) {
  const start = before === undefined ? {} : { before };
  const query = { ...filter, ...start, order: "desc", limit: perPage } as const;
  return client.GET("/events", { params: { query }, ...(signal === undefined ? {} : { signal }) });
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3000));

/** Reads the newest events, and then each new one as it is published, until the signal. */
async function* follow(client: Client, filter: Filter, signal: AbortSignal) {
  const newest = await readBefore(client, filter, undefined, signal);
  yield newest;
  for (let after = newest.feed.next_after; ; ) {
    const query = { ...filter, after, wait: waitSeconds, limit: perPage };
    const answer = await client.GET("/events", { params: { query }, signal });
    after = answer.feed.next_after;
    yield { ...answer, data: answer.data.toReversed() };
  }
}

/** The product that an event states, if it states one. */
const skuOf = ({ data }: Event): string | undefined =>
  data !== null && "sku" in data ? data.sku : undefined;

/** Where the console shows what an event is about. */
const linkOf = ({ kind, id }: Event["subject"], sku: string | undefined): string | undefined => {
  if (kind === "order") return href(["orders", id]);
  if (sku !== undefined) return href(["stock", sku]);
  return kind === "webhook" ? href(["webhooks", id]) : undefined;
};

/** The feed so far, with what each answer adds. The first answer says where older events begin. */
function extended(last: Feed | undefined, { data, feed }: EventPage): Feed {
  const lag = feed.lag_seconds;
  return last === undefined || feed.next_before !== undefined
    ? { events: data, before: feed.next_before ?? null, lag }
    : { events: [...data, ...last.events], before: last.before, lag };
}

/**
 * Follows the feed until the signal, and begins again when the service is back.
 * @throws {ServiceError} if the service refuses the call
 */
async function* keepFollowing(client: Client, filter: Filter, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      yield* follow(client, filter, signal);
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      if (!isTemporary(failure)) throw failure;
      yield failure;
      await pause();
    }
  }
}

/** The feed, as far as it was read, and why reading stopped. */
function useFeed(filter: Filter, isLive: boolean) {
  const { session, reject } = useSigned();
  const { client } = session;
  const [feed, setFeed] = useState<Feed>();
  const [failure, setFailure] = useState<ServiceError>();
  const fail = (error: unknown): void => {
    const failed = failureOf(error);
    if (failed.status === 401) reject(failed);
    else setFailure(failed);
  };
  // Events of another filter must not stay in sight.
  useEffect(() => {
    setFeed(undefined);
    setFailure(undefined);
  }, [filter.types, filter.subject]);
  useEffect(() => {
    if (!isLive) return;
    const controller = new AbortController();
    const run = async (): Promise<void> => {
      for await (const page of keepFollowing(client, filter, controller.signal)) {
        const isFailure = page instanceof ServiceError;
        setFailure(isFailure ? page : undefined);
        if (!isFailure) setFeed((last) => extended(last, page));
      }
    };
    run().catch(fail);
    return () => controller.abort();
  }, [isLive, filter.types, filter.subject]);
  const readOlder = async (before: number): Promise<void> => {
    const { data, feed } = await readBefore(client, filter, before);
    const older = { before: feed.next_before ?? null };
    setFeed((last) => last && { ...last, ...older, events: [...last.events, ...data] });
  };
  return { feed, failure, readOlder: (before: number) => readOlder(before).catch(fail) };
}

export function Events() {
  useTitle("Events");
  const { types, subject } = useRoute().query;
  const [isLive, setLive] = useState(true);
  const filter: Filter = { ...(types ? { types } : {}), ...(subject ? { subject } : {}) };
  const { feed, failure, readOlder } = useFeed(filter, isLive);
  return (
    <>
      <header class="row">
        <h1>Events</h1>
        {feed !== undefined && <Lag seconds={feed.lag} isLive={isLive && failure === undefined} />}
        <button type="button" class="small" onClick={() => setLive(!isLive)}>
          {isLive ? "Pause" : "Go on"}
        </button>
      </header>
      <Filters verb="Show">
        <Field label="Types" name="types" value={types} list="types" placeholder="order.*" />
        <datalist id="types">
          {typeFilters.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
        <Field label="About" name="subject" value={subject} placeholder="order:1001" />
      </Filters>
      {failure !== undefined && <Failure of={failure} />}
      {feed === undefined && failure === undefined && <Loading />}
      {feed?.events.length === 0 && <Empty>No event matches yet. New ones appear here by themselves.</Empty>}
      {feed !== undefined && (
        <ol class="timeline">
          {feed.events.map((event) => (
            <EventEntry key={event.sequence} event={event} />
          ))}
        </ol>
      )}
      {feed !== undefined && feed.before !== null && (
        <button type="button" onClick={() => readOlder(feed.before ?? 0)}>
          Older events
        </button>
      )}
    </>
  );
}

const Lag = ({ seconds, isLive }: { readonly seconds: number; readonly isLive: boolean }) => (
  <>
    <span class={`badge ${isLive ? "green" : "gray"}`}>{isLive ? "live" : "paused"}</span>
    <span class="faint">
      {seconds === 0 ? "Every change is published" : `${counted(seconds, "second")} behind the changes`}
    </span>
  </>
);

function EventEntry({ event }: { readonly event: Event }) {
  const { kind, id } = event.subject;
  const sku = skuOf(event);
  const link = linkOf(event.subject, sku);
  const about = `${kind} ${kind === "order" ? id : (sku ?? id)}`;
  return (
    <Entry kind={event.sequence} what={event.type} note={`${about} by ${event.by}`} at={event.occurred_at}>
      {link !== undefined && (
        <p>
          <a href={link}>Show {about}</a>
        </p>
      )}
      <Json of={event} />
    </Entry>
  );
}
