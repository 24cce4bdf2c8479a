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
  /**
   * Called each time the loop has taken all events that were read, with the sequence to begin after the next
   * time. It also rises while a filter lets no event through.
   */
  readonly checkpoint?: (after: number) => Promise<void> | void;
}

/**
 * Iterates over the events of the account in their order. `read` reads a part of the feed:
 *
 *     const read = (query) => oms.GET("/events", { params: { query: { ...query, types: "order.*" } } });
 *     for await (const event of events(read, { after, checkpoint: saveAfter })) await apply(event);
 *
 * Store what `checkpoint` is called with, and begin after it the next time. The `sequence` of the last event
 * would do as well, but with a filter it may become older than the feed.
 */
export async function* events<Event>(
  read: (query: FeedQuery) => Promise<Part<Event>>,
  { after, follow = true, checkpoint }: Following = {},
): AsyncGenerator<Event, void, void> {
  for (let from = after; ; ) {
    const start = from === undefined ? {} : { after: from };
    const { data, feed } = await read({ ...start, limit: 100, wait: follow ? 20 : 0 });
    yield* data;
    from = feed.next_after;
    await checkpoint?.(from);
    if (!follow && from >= feed.latest) return;
  }
}
