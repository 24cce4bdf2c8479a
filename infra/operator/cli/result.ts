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

const shown = (cell: unknown): string => {
  if (Array.isArray(cell)) return cell.map(shown).join(", ");
  return typeof cell === "object" && cell !== null ? JSON.stringify(cell) : String(cell ?? "");
};

/**
 * Records as a table, or the sentence `none` if there are no records. The columns are those of the first
 * record by default.
 */
export function listed(rows: readonly object[], none: string, names?: readonly string[]): CommandResult {
  const [first] = rows;
  if (first === undefined) return { data: [], text: none };
  const columns = [...(names ?? Object.keys(first))];
  const table = new Table({ head: columns, style: { head: [], border: [] } });
  for (const row of rows) {
    const cells = new Map(Object.entries(row));
    table.push(columns.map((column) => shown(cells.get(column))));
  }
  return { data: rows, text: table.toString() };
}
