/** The command `data restore-record`. */
import * as z from "zod/mini";
import { tableNames } from "../../../../shared/store/tables.ts";
import { reply } from "../../cli/answer.ts";
import { defineCommand } from "../../cli/command.ts";
import { id, name, text } from "../../cli/fields.ts";
import { restorableKinds, restoreRecord } from "../../restore-record.ts";

export const restoringRecords = defineCommand({
  words: "data restore-record <kind> <id>",
  summary: "Brings a lost record back out of a restored table",
  about: [
    `KIND is one of ${restorableKinds.join(", ")}. Restore the table that has such records to a time before the loss, under a`,
    "new name, and state that name. The record gets its lookup items and, if it is an order, its history. It is refused if the",
    "record exists, if another record has its number or name, or if what it refers to is missing. Run `data verify` afterwards.",
    "",
    "Of `stock`, ID is a product: its stock records and bins that are lost come back as they were, and what is there stays.",
    "Then run `data verify --repair`, and count the bins. A webhook comes back switched off.",
  ],
  options: { "--from <table>": "the name of the restored table (required)" },
  examples: [
    "data restore-record order 1003 --from oiw-orders-restored",
    "data restore-record stock 1000 --from oiw-inventory-restored",
  ],
  tables: [...tableNames],
  values: z.object({ kind: name, id, from: text }),
  changes: { warning: ({ kind, id: record }) => `The ${kind} ${record} will be brought back.` },
  run: async ({ db }, { kind, id: record, from }) => {
    const restored = await restoreRecord(db, kind, record, from);
    const lines = [`The ${restored.record} is back. Items stored:`, ...restored.items];
    return reply(lines.join("\n"), restored);
  },
});
