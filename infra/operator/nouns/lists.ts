/** What an operator does with block lists. */
import * as z from "zod/mini";
import { lists as all } from "../../../shared/schema/lists.ts";
import { rebuildList } from "../../../shared/store/lists/repair/rebuild.ts";
import { reply } from "../cli/answer.ts";
import { defineCommand, type Noun } from "../cli/command.ts";
import { Usage } from "../cli/failures.ts";

export const lists: Noun = {
  name: "lists",
  summary: "What the API lists, with totals and filters",
  commands: [
    defineCommand({
      words: "rebuild <name>",
      summary: "Recomputes what a list is filtered by, and its totals, while it is in use",
      about: [
        `The lists are ${[...all.keys()].join(", ")}.`,
        "Run it once after a version is deployed that filters a list by something else, from that very commit: another",
        "one would undo what the service stores. It can be stopped and run again, and must be run again where it names",
        "blocks that were too busy. It needs dynamodb:Scan.",
      ],
      examples: ["lists rebuild alias"],
      tables: ["orders", "inventory", "tallies"],
      values: z.object({ name: z.string() }),
      run: async ({ db, note }, { name }) => {
        const listed = all.get(name);
        if (listed === undefined) throw new Usage(`NAME must be one of ${[...all.keys()].join(", ")}`);
        const rebuilt = await rebuildList(db, listed, note);
        const { blocks, moved, corrected } = rebuilt;
        return reply(`Blocks ${blocks}, records moved ${moved}, tallies corrected ${corrected}.`, rebuilt);
      },
    }),
  ],
};
