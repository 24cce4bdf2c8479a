import { eventKinds } from "../../shared/publishing/event-kinds.ts";
import { publish } from "../../shared/publishing/publish.ts";
import { tableNames } from "../../shared/store/tables.ts";
import { defineStream, streamLambda } from "../../shared/streams/stream.ts";
import { enqueueAccountWebhooks, webhookQueue } from "../../shared/webhooks/sending/queue.ts";

/** The items that events are made of, as their kinds state them. */
const changesOf = Object.fromEntries(
  tableNames.flatMap((table) => {
    const prefixes = eventKinds.flatMap((kind) =>
      kind.changesOf.table === table ? kind.changesOf.prefixes : [],
    );
    return prefixes.length === 0 ? [] : [[table, prefixes] as const];
  }),
);

/** What the items of a table have besides. Where several kinds share a table there is none, since it would hold for all of them. */
const changesWhere = Object.fromEntries(
  tableNames.flatMap((table) => {
    const [kind, ...others] = eventKinds.filter((one) => one.changesOf.table === table);
    const where = kind?.changesOf.where;
    return where === undefined || others.length > 0 ? [] : [[table, where] as const];
  }),
);

/** Makes events of what changed (docs/decisions.md, Events). No write path knows of events, so none can forget one. */
export const stream = defineStream(
  {
    changesOf,
    changesWhere,
    // An order's earlier changes tell who made the latest, and stock records tell whose they are.
    access: {
      events: ["read", "insert", "change"],
      orders: { "history#": "read" },
      inventory: "read",
      webhooks: "read",
    },
    sends: [webhookQueue],
  },
  ({ db, changes }) => publish(db, changes, (accountId) => enqueueAccountWebhooks(db, accountId)),
);

export const handler = streamLambda(stream);
