/** The feed of events: the newest first and, by long polling, those that occur while the page is open. */
import type { Event } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { typeFilters } from "../../../../shared/events/types.ts";
import { type Entry, Filter, Timeline } from "./parts/lists.tsx";
import { href } from "./parts/route.ts";
import { useAction, useCall, useSigned } from "./parts/service.ts";
import { Answer, Badge, Button, counted, Failure, Json, type Of, Screen } from "./parts/ui.tsx";

type Query = Readonly<{ types?: string; subject?: string }>;

const limit = 50;

/** Seconds that a call waits for an event. A call may go on for so long after its screen was left. */
const wait = 5;

const filters = [
  { label: "Types", name: "types", list: "types", placeholder: "order.*" },
  { label: "About", name: "subject", placeholder: "order:1001" },
];

export function Events() {
  const { types, subject } = useSigned().route.query;
  const query: Query = { ...(types && { types }), ...(subject && { subject }) };
  return (
    <Screen title="Events">
      <Filter of={filters} />
      <datalist id="types">
        {typeFilters.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <Live key={JSON.stringify(query)} of={query} />
    </Screen>
  );
}

/** What has been read so far, the newest event first. */
interface Feed {
  readonly events: readonly Event[];
  readonly lag_seconds: number;
  readonly next_after: number;
  readonly next_before?: number | null;
}

function useFeed(query: Query, isLive: boolean) {
  const [last, setLast] = useState<Feed>();
  const next = useCall(
    async (client, signal) => {
      if (!isLive) return;
      const part = last === undefined ? ({ order: "desc" } as const) : { after: last.next_after, wait };
      const params = { query: { ...query, ...part, limit } };
      const { data, feed } = await client.GET("/events", { params, signal });
      if (signal.aborted) return;
      setLast((last) => ({ ...last, ...feed, events: last ? [...data.toReversed(), ...last.events] : data }));
    },
    [last, isLive],
  );
  const { run, ...older } = useAction();
  const readOlder = (before: number) =>
    run(async (client) => {
      const params = { query: { ...query, order: "desc", before, limit } } as const;
      const { data, feed } = await client.GET("/events", { params });
      const { next_before = null } = feed;
      setLast((last) => last && { ...last, next_before, events: [...last.events, ...data] });
    });
  return { feed: last, next, older, readOlder };
}

function Live({ of }: Of<Query>) {
  const [isLive, setLive] = useState(true);
  const { feed, next, older, readOlder } = useFeed(of, isLive);
  if (feed === undefined) return <Answer of={next}>{() => null}</Answer>;
  const { events, next_before: before, lag_seconds: lag } = feed;
  return (
    <>
      <div class="row">
        <Badge of={isLive && next.failure === undefined ? "live" : "paused"} />
        <Button of={isLive ? "Pause" : "Go on"} onClick={() => setLive(!isLive)} />
        {lag === 0 ? "Every change is published." : `${counted(lag, "second")} behind the changes.`}
      </div>
      <Failure of={next.failure ?? older.failure} />
      {events.length === 0 && <p class="notice">No event matches yet. New ones appear here by themselves.</p>}
      <Timeline of={events.map(entryOf)} />
      {before && <Button of="Older events" aria-disabled={older.isBusy} onClick={() => readOlder(before)} />}
    </>
  );
}

/** What an event is about, and where the console shows it. */
function subjectOf({ subject: { kind, id }, data }: Event): readonly [about: string, link?: string] {
  const sku = data !== null && "sku" in data ? data.sku : undefined;
  if (kind === "order") return [`order ${id}`, href(["orders", id])];
  if (sku !== undefined) return [`${kind} ${sku}`, href(["stock", sku])];
  return kind === "webhook" ? [`webhook ${id}`, href(["webhooks", id])] : [`${kind} ${id}`];
}

function entryOf(event: Event): Entry {
  const { id, sequence, type, by, occurred_at } = event;
  const [about, link] = subjectOf(event);
  const shown = link !== undefined && <a href={link}>Show {about}</a>;
  const opened = () => [shown, <Json key="json" of={event} />];
  const note = by === null ? about : `${about} by ${by}`;
  return { id, kind: sequence, what: type, note, at: occurred_at, opened };
}
