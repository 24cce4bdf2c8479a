/** The feed of events: the newest first, and by long poll what happens while the page is open. */
import type { Event, ServiceError } from "order-inventory-warehouse-client";
import { useEffect, useState } from "preact/hooks";
import { typeFilters } from "../../../../shared/events/types.ts";
import { go, href, useRoute } from "./parts/route.ts";
import { type Session, useSigned } from "./parts/session.ts";
import { counted, Empty, Failure, Field, Json, Loading, Time, textsOf, useTitle } from "./parts/ui.tsx";
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

/** Where the console shows what an event is about. */
const linkOf = (event: Event): string | undefined => {
  const { kind, id } = event.subject;
  if (kind === "order") return href(["orders", id]);
  const sku = event.data !== null && "sku" in event.data ? event.data.sku : undefined;
  if (sku !== undefined) return href(["stock", sku]);
  return kind === "webhook" ? href(["webhooks", id]) : undefined;
};

export function Events() {
  useTitle("Events");
  const { session, reject } = useSigned();
  const { client } = session;
  const { query } = useRoute();
  const { types, subject } = query;
  const filter: Filter = { ...(types ? { types } : {}), ...(subject ? { subject } : {}) };
  const [isLive, setLive] = useState(true);
  const [feed, setFeed] = useState<Feed>();
  const [failure, setFailure] = useState<ServiceError>();

  useEffect(() => {
    if (!isLive) return;
    const controller = new AbortController();
    const { signal } = controller;
    const run = async (): Promise<void> => {
      for await (const { data, feed } of follow(client, filter, signal)) {
        setFailure(undefined);
        setFeed((last) => {
          const isFirst = feed.next_before !== undefined;
          const events = isFirst || last === undefined ? data : [...data, ...last.events];
          const before = isFirst || last === undefined ? (feed.next_before ?? null) : last.before;
          return { events, before, lag: feed.lag_seconds };
        });
      }
    };
    const keepRunning = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          await run();
        } catch (error) {
          if (signal.aborted) return;
          const failed = failureOf(error);
          if (failed.status === 401) return reject(failed);
          setFailure(failed);
          if (!isTemporary(failed)) return;
          await pause();
        }
      }
    };
    keepRunning();
    return () => controller.abort();
  }, [isLive, types, subject]);

  const readOlder = async (before: number): Promise<void> => {
    try {
      const older = await readBefore(client, filter, before);
      setFeed(
        (last) =>
          last && {
            ...last,
            events: [...last.events, ...older.data],
            before: older.feed.next_before ?? null,
          },
      );
    } catch (error) {
      setFailure(failureOf(error));
    }
  };

  return (
    <>
      <header class="row">
        <h1>Events</h1>
        {feed !== undefined && <Lag seconds={feed.lag} isLive={isLive && failure === undefined} />}
        <button type="button" class="small" onClick={() => setLive(!isLive)}>
          {isLive ? "Pause" : "Go on"}
        </button>
      </header>
      <Filters {...filter} />
      {failure !== undefined && <Failure of={failure} />}
      {feed === undefined && failure === undefined && <Loading />}
      {feed?.events.length === 0 && <Empty>No event matches yet. New ones appear here by themselves.</Empty>}
      {feed !== undefined && <EventList events={feed.events} />}
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

const Filters = ({ types, subject }: Filter) => (
  <search>
    <form
      class="filters"
      key={`${types} ${subject}`}
      onSubmit={(event) => {
        event.preventDefault();
        go(["events"], textsOf(event.currentTarget));
      }}
    >
      <label class="field">
        <span>Types</span>
        <input name="types" value={types} list="types" placeholder="order.*" autocomplete="off" />
        <datalist id="types">
          {typeFilters.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      </label>
      <Field label="About" name="subject" value={subject} placeholder="order:1001" />
      <button type="submit">Show</button>
      {(types || subject) && <a href={href(["events"])}>Clear</a>}
    </form>
  </search>
);

/** Events that open to their JSON. */
export const EventList = ({ events }: { readonly events: readonly Event[] }) => (
  <ol class="timeline">
    {events.map((event) => {
      const link = linkOf(event);
      const about = `${event.subject.kind} ${event.subject.id}`;
      return (
        <li key={event.sequence}>
          <details>
            <summary>
              <span class="kind">{event.sequence}</span>
              <span class="what">
                {event.type}{" "}
                <span class="faint">
                  {about} by {event.by}
                </span>
              </span>
              <Time at={event.occurred_at} exact />
            </summary>
            {link !== undefined && (
              <p>
                <a href={link}>Show {about}</a>
              </p>
            )}
            <Json of={event} />
          </details>
        </li>
      );
    })}
  </ol>
);
