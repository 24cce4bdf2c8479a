/** The commands of the feeds of events, and of changes that could not be published. */

import * as z from "zod/mini";
import { endpoint as listEvents } from "../../../../functions/oms/events/list-events.ts";
import { notFound } from "../../../../shared/common/problem.ts";
import type { Event } from "../../../../shared/events/event.ts";
import {
  type SetAsideRecord,
  setAsideChanges,
  setAsideRecords,
} from "../../../../shared/publishing/set-aside.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { tableNames } from "../../../../shared/store/tables.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { type CommandContext, operator } from "../../cli/context.ts";
import { id, oneOf, optional, text as textField } from "../../cli/fields.ts";
import { Usage } from "../../cli/outcome.ts";
import { listed, reply } from "../../cli/result.ts";
import { alignLevels } from "../../events/align.ts";
import { settle } from "../../events/settle.ts";
import { readAccount, readAccounts } from "../../set-up/accounts.ts";
import { answerOf } from "./answers.ts";
import { limitOption, most, webhooksIn } from "./webhooks.ts";

const keyPart = z.string().check(z.minLength(1));

async function shown(db: Database, record: SetAsideRecord) {
  const changes = await setAsideChanges(db, record);
  const [first] = changes;
  const { table, key } = record;
  return { table, ...key, changes: changes.length, since: first?.change.at, reason: first?.reason };
}

const nameOf = ({ table, key: { pk, sk } }: SetAsideRecord): string => `${table} ${pk} ${sk}`;

/** Settles records one after another, and reports the changes of each that are lost or left. */
async function settleAll({ db, note }: CommandContext, records: readonly SetAsideRecord[], givesUp: boolean) {
  const total = { events: 0, joined: 0, lost: 0, left: 0 };
  for (const record of records) {
    const { events, joined, lost, left, reason } = await settle(db, record, givesUp);
    total.events += events;
    total.joined += joined;
    total.lost += lost.length;
    total.left += left;
    for (const at of lost) note(`${nameOf(record)}: the events of the change at ${at} are lost`);
    if (left > 0) note(`${nameOf(record)}: changes left ${left}: ${reason}`);
  }
  const { events, joined, lost, left } = total;
  const text = `Events published ${events}, changes joined ${joined}, given up ${lost}, left ${left}.`;
  return { ...reply(text, total), ends: left > 0 ? ("findings" as const) : undefined };
}

/** The record with this table and key. @throws Problem `not_found` if nothing of it is set aside */
async function existing(db: Database, table: string, pk: string, sk: string): Promise<SetAsideRecord> {
  const records = await setAsideRecords(db);
  const found = records.find((one) => one.table === table && one.key.pk === pk && one.key.sk === sk);
  if (found === undefined) throw notFound(`No change of ${table} ${pk} ${sk} is set aside`);
  return found;
}

/** The newest events that a query selects. One call examines only a part of the feed. */
async function newestEvents(
  db: Database,
  accountId: number,
  query: Readonly<Record<string, string>>,
  limit: number,
) {
  const found: Event[] = [];
  let position: Readonly<Record<string, string>> = {};
  for (;;) {
    const asked = { ...query, ...position, order: "desc", limit: String(limit - found.length) };
    const { data, feed } = await answerOf(db, accountId, listEvents, { query: asked });
    found.push(...data);
    if (found.length === limit || typeof feed.next_before !== "number") return found;
    position = { before: String(feed.next_before) };
  }
}

export const events: Commands = [
  defineCommand({
    words: "events list <account>",
    summary: "Lists the events of an account, the newest first, without their data",
    options: {
      ...limitOption,
      "--subject <kind:id>": "only events of this record, such as order:1003",
      "--types <types>": "only events of these types, with commas between",
    },
    about: [
      "It reads back until it has found as many as the limit, at most the 30 days that events are kept.",
    ],
    examples: ["events list 100", "events list 100 --subject order:1003 --json"],
    values: z.object({
      account: id,
      limit: optional(most),
      subject: optional(textField),
      types: optional(textField),
    }),
    run: async ({ db }, { account, limit = 20, subject, types }) => {
      const query = { ...(subject && { subject }), ...(types && { types }) };
      const found = await newestEvents(db, account, query, limit);
      const rows = found.map(({ sequence, type, occurred_at, subject: record, by }) => {
        const subject = `${record.kind}:${record.id}`;
        return { sequence, type, occurred_at, subject, by };
      });
      return listed(rows, "There are no events.");
    },
  }),
  defineCommand({
    words: "events lag",
    summary: "Shows how far the feeds and webhooks of all accounts are behind",
    about: [
      "Each webhook is `behind` by so many events. The command scans the table of accounts and registries. It requires",
      "dynamodb:Scan.",
    ],
    examples: ["events lag", "events lag --json"],
    values: z.object({}),
    run: async ({ db }) => {
      const states = await webhooksIn(db);
      const rows: object[] = [];
      for (const { account_id } of await readAccounts(db)) {
        const { feed } = await answerOf(db, account_id, listEvents, { query: { order: "desc", limit: "1" } });
        const { latest, lag_seconds } = feed;
        const webhooks = states
          .filter(({ webhook }) => webhook.account_id === account_id)
          .map(({ webhook: { webhook_id }, progress }) => ({ webhook_id, behind: latest - progress.cursor }));
        rows.push({ account_id, latest, lag_seconds, webhooks });
      }
      return listed(rows, "There are no accounts.");
    },
  }),
  defineCommand({
    words: "events align <account>",
    summary: "Corrects the published stock levels of an account after a change was dead-lettered",
    about: [
      'It publishes one event stock.changed, with the reason "aligned", for each level that lost changes. A level whose changes',
      "may still be published, because a stream retains them, is skipped: run it again a day later. The publisher may be active.",
    ],
    examples: ["events align 100"],
    values: z.object({ account: id }),
    changes: { warning: ({ account }) => `Events will be published in the feed of account ${account}.` },
    run: async ({ db, note }, { account: accountId }) => {
      await readAccount(db, accountId);
      const now = new Date().toISOString();
      const aligned = await alignLevels({
        db,
        accountId,
        by: operator,
        now,
        report: ({ sku, distribution_center }, { on_hand, reserved, incoming }) =>
          note(
            `${sku} in ${distribution_center}: on_hand ${on_hand}, reserved ${reserved}, incoming ${incoming} were lost`,
          ),
      });
      const { late, busy } = aligned;
      const text = `Levels aligned ${aligned.aligned}, skipped as perhaps only late ${late}, left as too busy ${busy}.`;
      return { ...reply(text, aligned), ends: busy > 0 ? "findings" : undefined };
    },
  }),
  defineCommand({
    words: "events set-aside",
    summary: "Lists the records with changes that could not be published",
    about: [
      "A record is named by its table and key, as in the publisher's log. Its later changes wait behind the first one.",
    ],
    examples: ["events set-aside", "events set-aside --json"],
    values: z.object({}),
    run: async ({ db }) => {
      const rows: object[] = [];
      for (const record of await setAsideRecords(db)) rows.push(await shown(db, record));
      return listed(rows, "No change is set aside.");
    },
  }),
  defineCommand({
    words: "events retry [table] [pk] [sk]",
    summary: "Publishes what was set aside, of one record or of all",
    about: [
      "The events of a record are published in the order of its changes. Changes that no release can read are joined with the",
      "next one that can be read: one event leads from the last readable state to that one. What can't be published stays.",
    ],
    examples: ["events retry", "events retry orders order#2 000000001000"],
    values: z.object({
      table: optional(oneOf(tableNames)),
      pk: optional(keyPart),
      sk: optional(keyPart),
    }),
    changes: {},
    run: async (context, { table, pk, sk }) => {
      if (table === undefined) return settleAll(context, await setAsideRecords(context.db), false);
      if (pk === undefined || sk === undefined) throw new Usage("PK and SK must follow the table");
      return settleAll(context, [await existing(context.db, table, pk, sk)], false);
    },
  }),
  defineCommand({
    words: "events skip <table> <pk> <sk>",
    summary: "Gives up the changes of a record that can't be published, and publishes the others",
    about: [
      "It names each change whose events are lost. Afterwards new changes of the record are published again.",
    ],
    examples: ["events skip orders order#2 000000001000"],
    values: z.object({ table: oneOf(tableNames), pk: keyPart, sk: keyPart }),
    changes: {
      warning: ({ table, pk, sk }) =>
        `Changes of ${table} ${pk} ${sk} that can't be published will have no events.`,
    },
    run: async (context, { table, pk, sk }) =>
      settleAll(context, [await existing(context.db, table, pk, sk)], true),
  }),
];
