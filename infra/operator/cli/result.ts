/** What a command answers, for people and for programs. */
import Table from "cli-table3";

/** The result of a command. `--json` prints `data`; otherwise `text` is printed. */
export interface CommandResult {
  readonly data: unknown;
  readonly text: string;
  /** Printed with the others, once. The log of changes does not have it. */
  readonly secrets?: { readonly data: object; readonly text: string };
  /** Set if rows were left out of an import, or something was found or left. */
  readonly ends?: "refused_rows" | "findings" | undefined;
}

/** An answer of one sentence, and the record that it is about. */
export const reply = (text: string, data: unknown): CommandResult => ({ text, data });

export const whole = (data: object): CommandResult => reply(JSON.stringify(data, null, 2), data);

/** `1 unit`, `2 units`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const shown = (cell: unknown): string => {
  if (Array.isArray(cell)) return cell.map(shown).join(", ");
  return typeof cell === "object" && cell !== null ? JSON.stringify(cell) : String(cell ?? "");
};

/** Breaks a text into lines of at most 32 characters, between words if these are shorter. */
const wrapped = (text: string): string => text.replaceAll(/(.{1,32})(?:\s+|$)|(.{32})/g, "$1$2\n").trimEnd();

/** Columns of a wide terminal. */
const maxWidth = 130;

/**
 * Records as a table, or the sentence `none` if there are no records. The columns are those of the first
 * record by default. Long cells are broken into lines if the table would not fit a terminal.
 */
export function listed(rows: readonly object[], none: string, names?: readonly string[]): CommandResult {
  const [first] = rows;
  if (first === undefined) return { data: [], text: none };
  const columns = [...(names ?? Object.keys(first))];
  const tableWith = (lay: (text: string) => string): string => {
    const table = new Table({ head: columns, style: { head: [], border: [] } });
    for (const row of rows) {
      const cells = new Map(Object.entries(row));
      table.push(columns.map((column) => lay(shown(cells.get(column)))));
    }
    return table.toString();
  };
  const text = tableWith((cell) => cell);
  return { data: rows, text: text.indexOf("\n") > maxWidth ? tableWith(wrapped) : text };
}
