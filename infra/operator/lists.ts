/** What an operator does with block lists. */
import { lists } from "../../shared/data/lists.ts";
import { rebuildList } from "../../shared/store/lists/rebuild.ts";
import { type CommandGroup, text, Usage } from "./command.ts";

export const listCommands: CommandGroup = {
  tables: ["orders", "inventory", "tallies"],
  commands: {
    "rebuild-list": async (db, [name], print) => {
      const listed = lists.get(text(name, "NAME"));
      if (listed === undefined) throw new Usage(`NAME must be one of ${[...lists.keys()].join(", ")}`);
      const { blocks, moved, corrected } = await rebuildList(db, listed, print);
      return `Blocks ${blocks}, records moved ${moved}, tallies corrected ${corrected}.`;
    },
  },
};
