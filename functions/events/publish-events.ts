import { eventKinds } from "../../shared/publishing/event-kinds.ts";
import type { FeedMemories } from "../../shared/publishing/feed-memory.ts";
import { publish } from "../../shared/publishing/publish.ts";
import { defineStream } from "../../shared/streams/stream.ts";
import { wakeWebhooksOf, webhookQueue } from "../../shared/webhooks/sending/queue.ts";

const byTable = [...Map.groupBy(eventKinds, ({ changesOf }) => changesOf.table)];

/** Publishes changes as events (docs/decisions.md, Events). */
export const { stream, handler } = defineStream(
  {
    changesOf: Object.fromEntries(
      byTable.map(([table, kinds]) => [table, kinds.flatMap(({ changesOf }) => changesOf.prefixes)]),
    ),
    // A filter applies to a whole table, so kinds that share a table can't have one.
    changesWhere: Object.fromEntries(
      byTable.flatMap(([table, [kind, ...others]]) =>
        kind?.changesOf.where === undefined || others.length > 0 ? [] : [[table, kind.changesOf.where]],
      ),
    ),
    // Order histories show who made a change, orders whether their customer is erased, and stock records to
    // which account they belong.
    access: {
      events: ["read", "insert", "change"],
      orders: { "history#": "read", "order#": "read" },
      inventory: "read",
      webhooks: "read",
    },
    sends: [webhookQueue],
  },
  () => {
    const memories: FeedMemories = new Map();
    return ({ db, changes }) => publish(db, changes, (accountId) => wakeWebhooksOf(db, accountId), memories);
  },
);
