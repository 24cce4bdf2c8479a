/** The log of operators' changes. */
import * as z from "zod/mini";
import { type AuditEntry, changesLogged } from "../../audit.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { limit, optional, text } from "../../cli/fields.ts";
import { listed } from "../../cli/result.ts";
import { differences } from "../../import/importing.ts";

const usualLimit = 50;

/** An entry as a row. With `--json`, entries have everything. */
function rowOf({ at, by, command, values, outcome, before, after }: AuditEntry) {
  const changed = differences(0, Object(before), Object(after))
    .map(({ field }) => `${field}: ${shownIn(before, field)} → ${shownIn(after, field)}`)
    .join("\n");
  return { at, by, command: `${command} ${JSON.stringify(values)}`, outcome, changed };
}

const shownIn = (record: unknown, field: string): string => {
  const [, value] = Object.entries(Object(record)).find(([name]) => name === field) ?? [];
  return JSON.stringify(value) ?? "none";
};

export const audit: Commands = [
  defineCommand({
    words: "audit list",
    summary: "Lists who changed what, newest first",
    about: [
      "An entry has the command with its values, its outcome and, if it changes one record, the record before and after. A",
      "command without an outcome is still running, or was killed. Secrets are not in the log. Entries are kept for a year.",
      "With --json, an entry has all of its fields, such as the request_id by which `trace` finds what the command caused.",
    ],
    options: {
      "--command <command>": "only commands that begin with this, such as keys, or `keys rotate`",
      "--by <text>": "only those of a caller whose name contains this",
      "--limit <number>": `maximum number of entries, 1 to 1000 (default: ${usualLimit})`,
    },
    examples: ["audit list", 'audit list --command "keys rotate" --json'],
    values: z.object({ command: optional(text), by: optional(text), limit: optional(limit) }),
    run: async ({ db }, { command = "", by = "", limit: most = usualLimit }) => {
      const found: AuditEntry[] = [];
      for await (const entry of changesLogged(db)) {
        if (!`${entry.command} `.startsWith(command) || !entry.by.includes(by)) continue;
        found.push(entry);
        if (found.length === most) break;
      }
      return { data: found, text: listed(found.map(rowOf), "No change is logged.").text };
    },
  }),
];
