/** The commands for changes that the publisher has set aside. `events align` is in `verify.ts`. */

import * as z from "zod/mini";
import { notFound } from "../../../shared/common/problem.ts";
import {
  type SetAsideRecord,
  setAsideChanges,
  setAsideRecords,
} from "../../../shared/publishing/set-aside.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { type TableName, tableNames } from "../../../shared/store/tables.ts";
import { listed, reply } from "../cli/answer.ts";
import { type Commands, defineCommand } from "../cli/command.ts";
import { oneOf, optional } from "../cli/fields.ts";
import { Usage } from "../cli/outcome.ts";
import type { Session } from "../cli/session.ts";
import { settle } from "../set-aside.ts";

const tables: readonly TableName[] = ["events", "orders", "inventory"];

const keyPart = z.string().check(z.minLength(1));

async function shown(db: Database, record: SetAsideRecord) {
  const changes = await setAsideChanges(db, record);
  const [first] = changes;
  const { table, key } = record;
  return { table, ...key, changes: changes.length, since: first?.change.at, reason: first?.reason };
}

const nameOf = ({ table, key: { pk, sk } }: SetAsideRecord): string => `${table} ${pk} ${sk}`;

/** Settles records one after another, and reports the changes of each that are lost or left. */
async function settleAll({ db, note }: Session, records: readonly SetAsideRecord[], givesUp: boolean) {
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

/** The record with this table and key. @throws Usage if nothing of it is set aside */
async function existing(db: Database, table: string, pk: string, sk: string): Promise<SetAsideRecord> {
  const records = await setAsideRecords(db);
  const found = records.find((one) => one.table === table && one.key.pk === pk && one.key.sk === sk);
  if (found === undefined) throw notFound(`No change of ${table} ${pk} ${sk} is set aside`);
  return found;
}

export const setAsideCommands: Commands = [
  defineCommand({
    words: "events set-aside",
    summary: "Lists the records with changes that could not be published",
    about: [
      "A record is named by its table and key, as in the publisher's log. Its later changes wait behind the first one.",
    ],
    examples: ["events set-aside", "events set-aside --json"],
    tables,
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
    tables,
    values: z.object({
      table: optional(oneOf(tableNames)),
      pk: optional(keyPart),
      sk: optional(keyPart),
    }),
    changes: {},
    run: async (session, { table, pk, sk }) => {
      if (table === undefined) return settleAll(session, await setAsideRecords(session.db), false);
      if (pk === undefined || sk === undefined) throw new Usage("PK and SK must follow the table");
      return settleAll(session, [await existing(session.db, table, pk, sk)], false);
    },
  }),
  defineCommand({
    words: "events skip <table> <pk> <sk>",
    summary: "Gives up the changes of a record that can't be published, and publishes the others",
    about: [
      "It names each change whose events are lost. Afterwards new changes of the record are published again.",
    ],
    examples: ["events skip orders order#2 000000001000"],
    tables,
    values: z.object({ table: oneOf(tableNames), pk: keyPart, sk: keyPart }),
    changes: {
      warning: ({ table, pk, sk }) =>
        `Changes of ${table} ${pk} ${sk} that can't be published will have no events.`,
    },
    run: async (session, { table, pk, sk }) =>
      settleAll(session, [await existing(session.db, table, pk, sk)], true),
  }),
];
