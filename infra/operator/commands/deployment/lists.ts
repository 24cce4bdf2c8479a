/** Rebuilds block lists (docs/glossary.md). */

import * as z from "zod/mini";
import { lists as all } from "../../../data-model/lists.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { oneOf } from "../../cli/fields.ts";
import { reply } from "../../cli/result.ts";
import { rebuildList } from "../../list-repair/rebuild.ts";

const names = [...all.keys()];

export const lists: Commands = [
  defineCommand({
    words: "lists rebuild <name>",
    summary: "Recomputes a list's filters and totals while the list is in use",
    about: [
      `The lists are ${names.join(", ")}.`,
      "Run it once after you deploy a version that changes a list's filters, from the deployed commit: another commit would",
      "undo what the service stores. The command can be interrupted and repeated. Repeat it if it names blocks that were",
      "too busy. It requires dynamodb:Scan.",
    ],
    examples: ["lists rebuild alias"],
    values: z.object({ name: oneOf(names) }),
    changes: {},
    run: async ({ db, note, dryRun }, { name }) => {
      const listed = all.get(name);
      if (listed === undefined) throw new Error(`no list is called ${name}`);
      const rebuilt = await rebuildList(db, listed, note, { looksOnly: dryRun });
      const { blocks, moved, corrected } = rebuilt;
      return reply(`Blocks ${blocks}, records moved ${moved}, counters corrected ${corrected}.`, rebuilt);
    },
  }),
];
