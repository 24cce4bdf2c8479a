/** The feed of events, event by event. */

/** The query parameters that select a part of the feed. */
export interface FeedQuery {
  readonly after?: number;
  readonly limit: number;
  readonly wait: number;
}

interface Part<Event> {
  readonly data: readonly Event[];
  readonly feed: { readonly next_after: number; readonly latest: number };
}

export interface Following {
  /** The sequence after which to begin; the oldest event that is kept if it is not stated. */
  readonly after?: number;
  /** Whether to wait for new events once all are read; true if it is not stated. */
  readonly follow?: boolean;
}

/**
 * Iterates over the events of the account in their order. `read` reads a part of the feed:
 *
 *     events((query) => oms.GET("/events", { params: { query: { ...query, types: "order.*" } } }), { after })
 *
 * Store the `sequence` of the last event that you have applied, and begin after it the next time.
 */
export async function* events<Event>(
  read: (query: FeedQuery) => Promise<Part<Event>>,
  { after, follow = true }: Following = {},
): AsyncGenerator<Event, void, void> {
  for (let from = after; ; ) {
    const start = from === undefined ? {} : { after: from };
    const { data, feed } = await read({ ...start, limit: 100, wait: follow ? 20 : 0 });
    yield* data;
    from = feed.next_after;
    if (!follow && from >= feed.latest) return;
  }
}
