/** Faults in the feed and in webhooks. */
import type { Faults } from "./index.ts";

const feedState = "shared/publishing/feed-state.ts";
const publish = "shared/publishing/publish.ts";

export const ofEvents: Faults = {
  "a feed whose head is moved without a condition": {
    file: feedState,
    find: "when: [unmoved],",
    replace: "when: [],",
  },
  "a change that is published again when it is delivered again": {
    file: publish,
    find: "const fresh = batch.filter(({ source }) => !feed.has(source));",
    replace: "const fresh = batch;",
  },
  "events without the names of their changes": {
    file: feedState,
    find: "    ...publishedEntries(accountId, changes, read_at).map((entry) => put({ ...entry, sk, expires_at })),\n",
    replace: "",
  },
  "published changes that are read before the head": [
    {
      file: feedState,
      find: "  return { head, read_at, has, levelAt };",
      replace:
        "  const late = await readFeedHead(db, accountId, read_at);\n  return { head: late, read_at: new Date().toISOString(), has, levelAt };",
    },
    { file: feedState, find: "if (now.sequence !== head.sequence) throw stale();", replace: "" },
  ],
  "a published change that is looked for too late": {
    file: "shared/publishing/published-changes.ts",
    find: "Date.parse(changed_at) - clockSkewMs",
    replace: "Date.parse(changed_at) + clockSkewMs",
  },
  "a publisher that forgets what others published": {
    file: "shared/publishing/feed-memory.ts",
    find: "for (const { ids, published_at } of batches) for (const id of ids) memory.seen.set(id, published_at);",
    replace: "",
  },
  "a stock level that is not stored with its event": {
    file: "shared/publishing/sequencing.ts",
    find: "return { events, levels: [...levels.values()] };",
    replace: "return { events, levels: [] };",
  },
  "an unreadable record that stops the events of its shard": {
    file: publish,
    find: "if (changes.length === 1) return [{ error }];",
    replace: "if (changes.length === 1) throw error;",
  },
  "a rejected event that no delivery notes": {
    file: "shared/webhooks/sending/batch.ts",
    find: 'return kind === "first" ? insertDelivery(stored)',
    replace: 'return kind === "first" ? []',
  },
  "a webhook that moves on before it has sent": {
    file: "shared/webhooks/sending/dispatch.ts",
    find: "const results = await postBatch(context, state, batch);\n  const { disabled, health } = await recordBatch(context, state, batch, results);",
    replace:
      "const { disabled, health } = await recordBatch(context, state, batch, []);\n  const results = await postBatch(context, state, batch);",
  },
  "a webhook that no schedule wakes": {
    file: "functions/jobs/wake-webhooks.ts",
    find: "if (active && probe_at === null && (await latest(account_id)) > cursor) return true;",
    replace: "",
  },
};
