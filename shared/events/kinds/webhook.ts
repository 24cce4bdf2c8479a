import * as z from "zod/mini";
import { settingsPrefix } from "../../data/webhooks.ts";
import { webhook } from "../../domain/webhooks/webhook.ts";
import { webhookRecord } from "../../http/records/webhook.ts";
import type { EventKind } from "../kind.ts";
import { recordsIn, tidingsOf } from "../record-kind.ts";

/** A webhook in events: without how far it has come, and without its URL, which keys that only read must not learn. */
const webhookInEvents = z.omit(webhookRecord, {
  url: true,
  failing_since: true,
  last_success_at: true,
  handed_over: true,
});

const particulars = {
  subject: "webhook",
  version: "2026-11-22",
  types: {
    "webhook.disabled":
      "The service switched a webhook off: its receiver answered 410, or failed for 72 hours.",
  },
  record: webhookInEvents,
  stored: webhook,
  idOf: ({ webhook_id }: z.output<typeof webhook>) => webhook_id,
  present: (stored: z.output<typeof webhook>) => stored,
  typesOf: (before: z.output<typeof webhook> | undefined, after: z.output<typeof webhook>) =>
    before?.active === true && after.disabled_reason !== null ? ["webhook.disabled"] : [],
};

export const webhookKind: EventKind = {
  ...particulars,
  changesOf: { table: "webhooks", prefixes: [settingsPrefix] },
  tell: async (_db, changes) =>
    changes.map((change) => {
      const records = recordsIn(particulars, change);
      return records && tidingsOf(particulars, records.before, records.after);
    }),
};
