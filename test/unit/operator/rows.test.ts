import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readRows } from "../../../infra/operator/import/rows.ts";
import { temporaryFiles } from "../../support/runtime/files.ts";

const fileOf = temporaryFiles();

async function rowsOf(file: string) {
  const found: unknown[] = [];
  for await (const one of readRows(file)) found.push(one);
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

  test.each([
    ["lines.jsonl", ['{"a":1}', "{broken", '"text"', '{"a":2}']],
    ["list.json", ['[{"a":1},7,"text",{"a":2}]']],
  ])("a row that is no JSON object is rejected on its own: %s", async (name, lines) => {
    const rows = await rowsOf(fileOf(name, ...lines));

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
    ["in UTF-16", Buffer.from('\uFEFF{"a":"x"}\n', "utf16le"), 1],
  ])("no row is read if the file is %s", async (_case, bytes, line) => {
    const file = fileOf("bytes.jsonl");
    writeFileSync(file, bytes);
    const begun = readRows(file).next();

    await expect(begun).rejects.toThrow(`line ${line} is not UTF-8`);
  });

  test("characters that chunks of the file split are read correctly", async () => {
    const text = "€".repeat(100_000);

    const rows = await rowsOf(fileOf("long.jsonl", JSON.stringify({ text }), JSON.stringify({ text })));

    expect(rows.map((one) => Object(one).sound.fields.text === text)).toEqual([true, true]);
  });
});
