import { expect, test } from "vitest";
import { mostPublished, publicationWrites } from "../../../shared/data/publishing.ts";
import type { Event } from "../../../shared/domain/events/event.ts";
import { fitsTransaction, transactionLimit } from "../../../shared/store/transact.ts";

const read_at = "2026-11-22T10:00:00.000Z";
const units = { on_hand: 1, reserved: 0, incoming: 0 };

const eventOf = (product_id: number): Event => ({
  id: `evt_${product_id}`,
  sequence: product_id,
  type: "stock.changed",
  version: "2026-11-22",
  occurred_at: read_at,
  account_id: 100,
  subject: { kind: "product", id: String(product_id) },
  by: null,
  data: {},
  previous: null,
});

/** A publication of so many changes, each of another product. */
function writesOf(count: number) {
  const events = Array.from({ length: count }, (_, position) => eventOf(position + 1));
  const changes = events.map(({ id, subject }) => ({ source: id, subject }));
  const levels = events.map(({ sequence: product_id }) => {
    return [{ product_id, distribution_center_id: 1 }, units] as const;
  });
  return publicationWrites(100, { head: undefined, read_at }, { events, changes, levels });
}

test("a transaction holds as many changes as it may tell of, each of another record with a level, and not one more", () => {
  const most = writesOf(mostPublished);

  expect(most).toHaveLength(transactionLimit);
  expect(fitsTransaction(most)).toBe(true);
  expect(fitsTransaction(writesOf(mostPublished + 1))).toBe(false);
});

test("the changes of one record share an entry", () => {
  const event = eventOf(1);
  const changes = ["a", "b", "c"].map((source) => ({ source, subject: event.subject }));

  const writes = publicationWrites(
    100,
    { head: undefined, read_at },
    { events: [event], changes, levels: [] },
  );

  expect(writes).toHaveLength(3);
  expect(writes.at(-1)).toMatchObject({ item: { pk: "feed-subject#100#product#1", published_at: read_at } });
  expect(new Set(Object(writes.at(-1)).item.changes).size).toBe(3);
});
