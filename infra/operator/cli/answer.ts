/** What a command answers, for people and for programs. */
import Table from "cli-table3";

/** What a command came to. `--json` prints `data`; else `text` is printed. */
export interface Answer {
  readonly data: unknown;
  readonly text: string;
  /** Whether the command found something wrong: the process ends with the status 1 then. */
  readonly failed?: boolean;
}

/** One sentence, and the record that it is about. */
export const told = (text: string, data: unknown): Answer => ({ text, data });

type Cell = string | number | boolean | null | undefined;
type Row = Readonly<Record<string, unknown>>;

const shown = (cell: unknown): Cell =>
  cell === null || cell === undefined ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell);

/** Records as a table whose columns are those of the first record, or as one sentence where there are none. */
export function listed(rows: readonly Row[], none: string): Answer {
  const [first] = rows;
  if (first === undefined) return { data: [], text: none };
  const columns = Object.keys(first);
  const table = new Table({ head: columns, style: { head: [], border: [] } });
  table.push(...rows.map((row) => columns.map((column) => shown(row[column]))));
  return { data: rows, text: table.toString() };
}
