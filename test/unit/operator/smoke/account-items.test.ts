import { expect, test } from "vitest";
import { itemsOfAccount } from "../../../../infra/operator/smoke/account-items.ts";
import type { Event } from "../../../../shared/events/event.ts";
import { feedBatchKey, subjectPartition } from "../../../../shared/events/feed-repository.ts";
import { feedWrites, readFeedState } from "../../../../shared/publishing/feed-state.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { faultyStore } from "../../../support/records/faulty-store.ts";
import { createdAt } from "../../samples.ts";

const accountId = 9_000_001;

/** As many as one call for events examines, in batches. */
const [batches, perBatch] = [21, 100];

/** Publishes a batch of events of one order, whose number is that of the batch. */
async function publishBatch(db: Database, batch: number): Promise<void> {
  const subject = { kind: "order", id: String(batch) };
  const events = Array.from({ length: perBatch }, (_, position): Event => {
    const sequence = batch * perBatch + position + 1;
    return {
      ...{ id: `evt-${sequence}`, sequence, subject, type: "order.updated", version: "2026-11-22" },
      ...{ account_id: accountId, by: null, request_id: null, occurred_at: createdAt },
      ...{ data: null, previous: null },
    };
  });
  const feed = await readFeedState(db, accountId, [], []);
  const changes = [{ source: `batch ${batch}`, subject, changed_at: createdAt }];
  await transact(db, feedWrites(accountId, feed, { events, changes, levels: [] }));
}

test("the whole feed of a test's account is found, however many events it has", async () => {
  const { db } = faultyStore();
  for (let batch = 0; batch < batches; batch += 1) await publishBatch(db, batch);

  const found = new Set((await itemsOfAccount(db, accountId)).map(({ key: { pk, sk } }) => `${pk} ${sk}`));

  for (let batch = 0; batch < batches; batch += 1) {
    const { pk, sk } = feedBatchKey(accountId, (batch + 1) * perBatch);
    expect(found).toContain(`${pk} ${sk}`);
    expect(found).toContain(`${subjectPartition(accountId, "order", String(batch))} ${sk}`);
  }
});
