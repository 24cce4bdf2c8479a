/** What is in the tables and the queues, beside what the service makes of it. */
import * as z from "zod/mini";
import { storedKey } from "../../../../shared/store/dynamodb/keys.ts";
import { tableNames } from "../../../../shared/store/tables.ts";
import { kindOf, partitionOf } from "../../../data-model/kinds.ts";
import { scanPages } from "../../../data-model/scan.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { listed } from "../../cli/result.ts";

export const tables: Commands = [
  defineCommand({
    words: "tables",
    summary: "Counts the items of each table by their kind",
    about: [
      "The command reads the keys of all tables, which costs as much as reading them whole, and requires dynamodb:Scan. It is",
      "meant for `npm start`, with --local.",
    ],
    examples: ["tables"],
    values: z.object({}),
    run: async ({ db }) => {
      const rows = [];
      for (const table of tableNames) {
        const counts = new Map<string, number>();
        for await (const items of scanPages(db, { table, partitions: [], keysOnly: true }))
          for (const key of items.map((item) => z.parse(storedKey, item))) {
            const kind = kindOf(table, key)?.name ?? `unknown: ${partitionOf(key)}`;
            counts.set(kind, (counts.get(kind) ?? 0) + 1);
          }
        for (const [kind, items] of counts) rows.push({ table, kind, items });
      }
      return listed(rows, "There are no items.");
    },
  }),
];

export const queues: Commands = [
  defineCommand({
    words: "queues",
    summary: "Counts the messages of each queue",
    about: [
      "`waiting` and `in_flight` are approximate, as SQS counts them. `dead` counts the dead-letter queue.",
    ],
    examples: ["queues"],
    needsNoTables: true,
    values: z.object({}),
    run: async ({ queues }) => listed(await (await queues()).counts(), "There are no queues."),
  }),
];
