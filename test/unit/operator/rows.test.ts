import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decimalIn } from "../../../infra/import/columns.ts";
import { readRows, writeRows } from "../../../infra/operator/import/rows.ts";
import { temporaryFiles } from "../../support/runtime/files.ts";

const fileOf = temporaryFiles();

const columns = { known: ["a", "b", "text"], required: ["a"] };

async function rowsOf(file: string, expected = { ...columns, required: columns.required.slice(1) }) {
  const found: unknown[] = [];
  for (const one of readRows(file, expected)()) found.push(one);
  return found;
}

const refused = (row: number, message: string) => ({ refused: [{ row, field: "", message }] });

describe("the rows of an import file", () => {
  test.each(["\n", "\r\n"])("a row has the number of the line in which it begins: %j", async (ending) => {
    const lines = ["a,b", "1,2", "", `"x${ending}${ending}y",3`, "4,5", `"z${ending}",6`, "7,8"];
    const file = fileOf("begin.csv");
    writeFileSync(file, lines.map((line) => line + ending).join(""));

    const rows = await rowsOf(file);

    expect(rows.map((one) => Object(one).sound.row)).toEqual([2, 4, 7, 8, 10]);
  });

  test("a CSV row with more or fewer fields than columns is rejected on its own", async () => {
    const file = fileOf("length.csv", "a,b", "1", "1,2,3", "1,2");

    const rows = await rowsOf(file);

    const message = "has more or fewer fields than the file has columns";
    expect(rows).toEqual([
      refused(2, message),
      refused(3, message),
      { sound: { row: 4, fields: { a: "1", b: "2" } } },
    ]);
  });

  test("a row that is no JSON object is rejected on its own", async () => {
    const rows = await rowsOf(fileOf("list.json", '[{"a":1},7,"text",{"a":2}]'));

    expect(rows).toEqual([
      { sound: { row: 1, fields: { a: 1 } } },
      refused(2, "is not a JSON object"),
      refused(3, "is not a JSON object"),
      { sound: { row: 4, fields: { a: 2 } } },
    ]);
  });

  test.each([
    ["in Latin-1", Buffer.from('{"a":"x"}\n{"a":"ä"}\n', "latin1"), 2],
    ["cut off within a character", Buffer.from('{"a":"x"}\n{"a":"x"}\n{"a":"€').subarray(0, -1), 3],
    ["in Latin-1 after U+FFFD", Buffer.concat([Buffer.from('{"a":"\uFFFD"}\r'), Buffer.of(0xe4)]), 2],
    [
      "in Latin-1 after a byte order mark",
      Buffer.concat([Buffer.from('\uFEFF{"a":"x"}\n'), Buffer.of(0xe4)]),
      2,
    ],
    ["in UTF-16", Buffer.from('\uFEFF{"a":"x"}\n', "utf16le"), 1],
  ])("no row is read if the file is %s", async (_case, bytes, line) => {
    const file = fileOf("bytes.json");
    writeFileSync(file, bytes);

    expect(() => readRows(file, columns)).toThrow(`line ${line} is not UTF-8`);
  });

  test("a file of more than 500 MB is an error that says to split it", () => {
    const file = fileOf("large.csv", "a,b");
    truncateSync(file, 500_000_001);

    expect(() => readRows(file, columns)).toThrow("it is larger than 500 MB: split it");
  });

  test("long texts of several bytes a character are read correctly", async () => {
    const text = "€".repeat(100_000);

    const rows = await rowsOf(fileOf("long.json", JSON.stringify([{ text }, { text }])));

    expect(rows.map((one) => Object(one).sound.fields.text === text)).toEqual([true, true]);
  });

  test.each([
    ["a,b,a", "the column a is there twice"],
    [
      "a,colour,__proto__",
      'the column "colour" is not known, the column "__proto__" is not known; the columns are a, b',
    ],
    ["text,b", "the column a is missing"],
    ["a;b", "its columns are separated by semicolons: separate them by commas"],
  ])("wrong columns are one error, before any row: %s", async (header, message) => {
    const file = fileOf("header.csv", header, ...Array.from({ length: 50 }, () => "1,2,3"));

    await expect(rowsOf(file, columns)).rejects.toThrow(message);
  });

  test("a JSON file that is no list is an error", async () => {
    await expect(rowsOf(fileOf("object.json", '{"a":1}'))).rejects.toThrow("it is not a JSON list");
  });

  test.each([
    ["empty.csv", ""],
    ["header.csv", "a,b"],
    ["empty.json", "[]"],
  ])("a file without rows is an error: %s", async (name, text) => {
    await expect(rowsOf(fileOf(name, text))).rejects.toThrow("has no rows");
  });

  test("a field of more than 64 KB is rejected on its own", async () => {
    const longest = "x".repeat(64 * 1024);
    const rows = await rowsOf(fileOf("long.csv", "a,b", `${longest}x,1`, `${longest},2`));

    const message = "has more than 65536 characters";
    expect(rows).toEqual([
      { refused: [{ row: 2, field: "a", message }] },
      { sound: { row: 3, fields: { a: longest, b: "2" } } },
    ]);
  });

  test("a quote that is not closed is an error that names the line in which its row begins", async () => {
    const rest = Array.from({ length: 300_000 }, () => "1,23456");
    const file = fileOf("quote.csv", "a,b", "1,2", '"1,2', rest.join("\n"));

    const first = fileOf("first.csv", "a,b", '"1,2', rest.join("\n"));
    const header = fileOf("header.csv", 'a,"b', rest.join("\n"));

    await expect(rowsOf(file)).rejects.toThrow(
      "Line 3 is not CSV: a quote is missing, or not at a field's end",
    );
    await expect(rowsOf(first)).rejects.toThrow("Line 2 is not CSV");
    await expect(rowsOf(header)).rejects.toThrow("Line 1 is not CSV");
  });

  test.each([
    ["a field __proto__", '[{"a":1,"__proto__":{"b":1}}]', "forbidden prototype property"],
    ["the number -0", '[{"a":0},{"a":-0}]', "has -0, which is no number of a record"],
  ])("a JSON file with %s is an error", async (_case, text, message) => {
    await expect(rowsOf(fileOf("wrong.json", text))).rejects.toThrow(message);
  });
});

test.each([
  ["1", 1],
  [" 2.50 ", 2.5],
  ["-3", -3],
  ["1e3", 1000],
  ["0", 0],
  ["-0", undefined],
  ["-0.0", undefined],
  ["0x10", undefined],
  ["0b1", undefined],
  ["1_000", undefined],
  ["Infinity", undefined],
  ["1e999", undefined],
  ["", undefined],
])("the text %j of a CSV file is the number %j", (text, number) => {
  expect(decimalIn(text)).toBe(number);
});

test("an export keeps a spreadsheet from computing texts only if it is asked to", () => {
  const [plain, escaped] = [`${fileOf("plain")}.csv`, `${fileOf("escaped")}.csv`];

  writeRows(plain, ["a"], [{ a: "=1+1" }], false);
  writeRows(escaped, ["a"], [{ a: "=1+1" }, { a: "tee" }], true);

  expect([readFileSync(plain, "utf8"), readFileSync(escaped, "utf8")]).toEqual([
    "a\n=1+1\n",
    "a\n'=1+1\ntee\n",
  ]);
});
