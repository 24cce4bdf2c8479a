import * as z from "zod/mini";
import { recordEvents } from "../events/kind.ts";
import { eventCatalog } from "../events/types.ts";
import { webhook } from "./webhook.ts";
import { settingsPrefix } from "./webhook-repository.ts";
import { webhookRecord } from "./webhook-view.ts";

/** A webhook in events: without its progress, and without its URL, which read-only keys must not see. */
const webhookInEvents = z.omit(webhookRecord, {
  url: true,
  failing_since: true,
  last_success_at: true,
  handed_over: true,
});

export const webhookEvents = recordEvents({
  ...eventCatalog.webhook,
  version: "2026-11-22",
  record: webhookInEvents,
  changesOf: { table: "webhooks", prefixes: [settingsPrefix] },
  stored: webhook,
  idOf: ({ webhook_id }) => webhook_id,
  present: (stored) => stored,
  typesOf: (before, after) =>
    before?.active === true && after.disabled_reason !== null ? ["webhook.disabled"] : [],
});
