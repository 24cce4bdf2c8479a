/** The feed of events: the newest first, and by long poll what happens while the page is open. */
import type { Event } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { typeFilters } from "../../../../shared/events/types.ts";
import { useAction, useCall } from "./parts/calls.ts";
import { Button, Field } from "./parts/forms.tsx";
import { Entry, Filters } from "./parts/lists.tsx";
import { href, useRoute } from "./parts/route.ts";
import type { Client } from "./parts/session.ts";
import { Badge, counted, Empty, Failure, Json, Loading, Screen } from "./parts/ui.tsx";

interface Filter {
  readonly types?: string;
  readonly subject?: string;
}

/** What was read so far. */
interface Feed {
  /** The newest first. */
  readonly events: readonly Event[];
  /** How far the feed is behind the changes. */
  readonly lag: number;
  /** Where newer events begin. */
  readonly after: number;
  /** Where older events begin, if there are any. */
  readonly before: number | null;
}

const limit = 50;

/** How long a call waits for an event. A screen that is left may keep the call waiting for so long. */
const wait = 5;

/** The newest events, or those before one. */
const readBefore = (client: Client, filter: Filter, before?: number) =>
  client.GET("/events", {
    params: { query: { ...filter, order: "desc", limit, ...(before !== undefined && { before }) } },
  });

const readAfter = (client: Client, filter: Filter, after: number, signal: AbortSignal) =>
  client.GET("/events", { params: { query: { ...filter, after, wait, limit } }, signal });

type Page = Awaited<ReturnType<typeof readBefore>>;

/** The feed with events that were published after it, or the newest ones, with which it begins. */
const withNewer = (last: Feed | undefined, { data, feed }: Page): Feed => ({
  events: last === undefined ? data : [...data.toReversed(), ...last.events],
  lag: feed.lag_seconds,
  after: feed.next_after,
  before: last === undefined ? (feed.next_before ?? null) : last.before,
});

const withOlder = (last: Feed, { data, feed }: Page): Feed => ({
  ...last,
  events: [...last.events, ...data],
  before: feed.next_before ?? null,
});

export function Events() {
  const { types, subject } = useRoute().query;
  const filter: Filter = { ...(types && { types }), ...(subject && { subject }) };
  return (
    <Screen title="Events">
      <Filters verb="Show">
        <Field label="Types" name="types" value={types} list="types" placeholder="order.*" />
        <datalist id="types">
          {typeFilters.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
        <Field label="About" name="subject" value={subject} placeholder="order:1001" />
      </Filters>
      <Live key={JSON.stringify(filter)} filter={filter} />
    </Screen>
  );
}

/** The feed of a filter. Each answer is a feed with more in it, after which the next is waited for. */
function Live({ filter }: { readonly filter: Filter }) {
  const [isLive, setLive] = useState(true);
  const [feed, setFeed] = useState<Feed>();
  const next = useCall(
    async (client, signal) => {
      if (!isLive) return;
      const page = await (feed === undefined
        ? readBefore(client, filter)
        : readAfter(client, filter, feed.after, signal));
      if (!signal.aborted) setFeed((last) => withNewer(last, page));
    },
    [feed, isLive],
  );
  const older = useAction();
  const readOlder = (before: number) =>
    older.run(async (client) => {
      const page = await readBefore(client, filter, before);
      setFeed((last) => last && withOlder(last, page));
    });
  const failure = next.failure ?? older.failure;
  if (feed === undefined) return failure === undefined ? <Loading /> : <Failure of={failure} />;
  const { events, before, lag } = feed;
  return (
    <>
      <div class="row">
        <Badge of={isLive && next.failure === undefined ? "live" : "paused"} />
        <Button class="small" onClick={() => setLive(!isLive)}>
          {isLive ? "Pause" : "Go on"}
        </Button>
        <span class="faint">
          {lag === 0 ? "Every change is published." : `${counted(lag, "second")} behind the changes.`}
        </span>
      </div>
      {failure !== undefined && <Failure of={failure} />}
      {events.length === 0 && <Empty>No event matches yet. New ones appear here by themselves.</Empty>}
      <ol class="timeline">
        {events.map((event) => (
          <EventEntry key={event.sequence} event={event} />
        ))}
      </ol>
      {before !== null && (
        <Button disabled={older.isBusy} onClick={() => readOlder(before)}>
          Older events
        </Button>
      )}
    </>
  );
}

/** What an event is about, and where the console shows that. */
function subjectOf({
  subject: { kind, id },
  data,
}: Event): readonly [about: string, link: string | undefined] {
  const sku = data !== null && "sku" in data ? data.sku : undefined;
  if (kind === "order") return [`order ${id}`, href(["orders", id])];
  if (sku !== undefined) return [`${kind} ${sku}`, href(["stock", sku])];
  return [`${kind} ${id}`, kind === "webhook" ? href(["webhooks", id]) : undefined];
}

function EventEntry({ event }: { readonly event: Event }) {
  const { sequence, type, by, occurred_at } = event;
  const [about, link] = subjectOf(event);
  return (
    <Entry kind={sequence} what={type} note={by === null ? about : `${about} by ${by}`} at={occurred_at}>
      {link !== undefined && <a href={link}>Show {about}</a>}
      <Json of={event} />
    </Entry>
  );
}
