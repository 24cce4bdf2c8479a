import { expect, test } from "vitest";
import { clockSkewMs } from "../../../shared/common/times.ts";
import { findPublished, publishedEntries } from "../../../shared/publishing/published-changes.ts";
import { padded } from "../../../shared/store/dynamodb/keys.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt } from "../samples.ts";

test("a change is found that may have been published just when the instance's memory of the feed begins", async () => {
  const { db } = faultyStore();
  const knownFrom = Date.parse(createdAt);
  const changed_at = new Date(knownFrom + clockSkewMs).toISOString();
  const change = { source: "a change", subject: { kind: "order", id: "1" }, drafts: [], changed_at };
  const entries = publishedEntries(100, [change], changed_at);
  await transact(
    db,
    entries.map((item) => ({ kind: "insert", table: "events", item: { ...item, sk: padded(1) } })),
  );
  const memories = new Map([[100, { knownFrom, readTo: 1, seen: new Map() }]]);

  const isPublished = await findPublished(db, 100, [change], { sequence: 1, read_at: changed_at }, memories);

  expect(isPublished(change.source)).toBe(true);
});
