import { describe, expect, test } from "vitest";
import { csvRows } from "../../infra/operator/import/csv.ts";

const fieldsOf = (text: string) => [...csvRows(text)].map(({ fields }) => fields);

describe("tables as text", () => {
  test.each([
    [
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a,b\r1,",
      [
        ["a", "b"],
        ["1", ""],
      ],
    ],
    ['"a ""b""","c,\r\nd"', [['a "b"', "c,\r\nd"]]],
    ['"",x', [["", "x"]]],
    ["\n\na\n\n", [["a"]]],
    ["", []],
  ])("%j", (text, rows) => {
    expect(fieldsOf(text)).toEqual(rows);
  });

  test("a row has the number of the line in which it begins", () => {
    const lines = [...csvRows('a\r\n\r\n"b\r\nc"\nd')].map(({ line }) => line);

    expect(lines).toEqual([1, 3, 5]);
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

    expect(fieldsOf(`"${field}",y`)[0]?.map(({ length }) => length)).toEqual([2_000_000, 1]);
  });
});
