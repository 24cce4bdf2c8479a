import { expect } from "vitest";
import * as z from "zod";
import { event } from "../../../shared/events/event.ts";
import type { Client } from "../http/client.ts";

const answer = z.object({
  data: z.array(event),
  feed: z.object({
    next_after: z.int(),
    next_before: z.optional(z.nullable(z.int())),
    latest: z.int(),
    oldest: z.int(),
  }),
});
export type FeedAnswer = z.output<typeof answer>;

/** One page of the feed. `query` begins with `?`, if there is one. */
export async function feedPage(oms: Client, query = ""): Promise<FeedAnswer> {
  const { status, body } = await oms.get(`/events${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return answer.parse(body);
}

/** The feed after a sequence, page by page to its end. */
export async function wholeFeed(oms: Client, after = 0, query = ""): Promise<FeedAnswer["data"]> {
  const all: FeedAnswer["data"] = [];
  for (let from = after; ; ) {
    const { data, feed } = await feedPage(oms, `?after=${from}${query}`);
    all.push(...data);
    if (feed.next_after >= feed.latest) return all;
    expect(feed.next_after).toBeGreaterThan(from);
    from = feed.next_after;
  }
}

/** The feed from its newest event back, page by page to the oldest. */
export async function feedBackwards(oms: Client, query = ""): Promise<FeedAnswer["data"]> {
  const all: FeedAnswer["data"] = [];
  for (let before = ""; ; ) {
    const { data, feed } = await feedPage(oms, `?order=desc${before}${query}`);
    all.push(...data);
    if (typeof feed.next_before !== "number") return all;
    before = `&before=${feed.next_before}`;
  }
}

/** What a reader knows of stock and orders who has read nothing but these events. */
export function rebuilt(events: FeedAnswer["data"]) {
  const statuses = new Map<string, unknown>();
  const levels = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { subject, data } of events) {
    if (subject.kind === "order") statuses.set(subject.id, data?.["status"]);
    if (data?.["on_hand"] !== undefined) {
      const { sku, distribution_center, on_hand, reserved, available, incoming } = data;
      levels.set(`${sku}@${distribution_center}`, { on_hand, reserved, available, incoming });
    }
  }
  return { statuses, levels };
}

/** Asserts that a feed read from its beginning has every number once, in order, and no event twice. */
export function expectGapless(events: FeedAnswer["data"]): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, position) => position + 1));
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
}

/** Asserts that each stock level begins where the one before it ended. */
export function expectChained(events: FeedAnswer["data"]): void {
  const last = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { type, data, previous, sequence } of events) {
    if (type !== "stock.changed" || data === null) continue;
    const place = `${data["sku"]}@${data["distribution_center"]}`;
    const before = last.get(place) ?? { on_hand: 0, reserved: 0, incoming: 0, available: 0 };
    expect({ sequence, ...before }).toMatchObject(previous ?? {});
    for (const name of ["on_hand", "reserved", "incoming", "available"])
      if (previous?.[name] === undefined) expect(before[name], `${name} at ${sequence}`).toBe(data[name]);
    last.set(place, data);
  }
}
