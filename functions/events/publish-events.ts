import { eventKinds } from "../../shared/events/kinds/index.ts";
import { publish } from "../../shared/events/publish.ts";
import { wakeWebhooks, webhookJobs } from "../../shared/jobs/webhooks/wake.ts";
import type { TableName } from "../../shared/store/tables.ts";
import { defineStream, streamLambda } from "../../shared/streams/stream.ts";

const prefixesOf = (table: TableName): readonly string[] =>
  eventKinds.flatMap(({ changesOf }) => (changesOf.table === table ? changesOf.prefixes : []));

/** Makes events of what changed (docs/decisions.md, Events). No write path knows of events, so none can forget one. */
export const stream = defineStream(
  {
    changesOf: {
      orders: prefixesOf("orders"),
      inventory: prefixesOf("inventory"),
      jobs: prefixesOf("jobs"),
      webhooks: prefixesOf("webhooks"),
    },
    // An order's earlier changes tell who made the latest, and stock records tell whose they are.
    access: { events: "write", orders: "read", inventory: "read", webhooks: "read" },
    sends: [webhookJobs],
  },
  async ({ db, changes }) => {
    const counts = await publish(db, changes);
    await Promise.all([...counts.keys()].map((accountId) => wakeWebhooks(db, accountId)));
    return { accounts: counts.size, events: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  },
);

export const handler = streamLambda(stream);
