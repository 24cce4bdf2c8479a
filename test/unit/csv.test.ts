import { describe, expect, test } from "vitest";
import { csvRows } from "../../infra/import/csv.ts";

/** The fields of each row, with a bar between. */
const fieldsOf = (text: string) => [...csvRows(text)].map(({ fields }) => fields.join("|"));

describe("tables as text", () => {
  test.each([
    ["a,b\n1,2", ["a|b", "1|2"]],
    ["a,b\r\n1,2\r\n", ["a|b", "1|2"]],
    ["a,b\r1,", ["a|b", "1|"]],
    ['"a ""b""","c,\r\nd"', ['a "b"|c,\r\nd']],
    ['"",x', ["|x"]],
    ["\n\na\n\n", ["a"]],
    ["a,b\n,\n1,2\n,\n,,", ["a|b", "1|2"]],
    ["", []],
  ])("%j", (text, rows) => {
    expect(fieldsOf(text)).toEqual(rows);
  });

  test.each(['a\n"b', 'a\nb"c', 'a\n"b"c'])(
    "a quote that is missing or out of place names its line: %j",
    (text) => {
      expect(() => fieldsOf(text)).toThrow("Line 2 is not CSV");
    },
  );

  test("a field with millions of quotes names its line", () => {
    expect(() => fieldsOf(`a\n"${'""'.repeat(5_000_000)}"`)).toThrow("Line 2 is not CSV");
  });

  test("a large field takes no more time than its length", () => {
    const field = 'x""'.repeat(1_000_000);

    expect(fieldsOf(`"${field}",y`)[0]).toHaveLength(2_000_002);
  });
});
