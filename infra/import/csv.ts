/** Tables as text, by RFC 4180. */

export interface CsvRow {
  readonly line: number;
  readonly fields: readonly string[];
}

/** A field with or without quotes, and its end. Millions of quotes would overflow the engine's stack. */
const field = /(?:"([^"]*(?:""[^"]*){0,1000000})"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/**
 * The rows of a text, without its empty lines and rows of empty fields, which spreadsheets leave behind.
 * @throws Error that names the line if a quote is missing or within a field
 */
export function* csvRows(text: string): Generator<CsvRow, void> {
  let fields: string[] = [];
  let [begin, line, end] = [1, 1, ""];
  for (let position = 0; position < text.length || end === ","; ) {
    field.lastIndex = position;
    const found = field.exec(text);
    if (found === null)
      throw new Error(`Line ${line} is not CSV: a quote is missing, or not at a field's end`);
    const [whole, quoted, plain = "", ending = ""] = found;
    end = ending;
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    position += whole.length;
    line += whole.split(/\r\n|\n|\r/).length - 1;
    if (end === ",") continue;
    if (fields.some((text) => text !== "")) yield { line: begin, fields };
    fields = [];
    begin = line;
  }
}
