import { expect, test } from "vitest";
import type { Read, Row } from "../../../infra/import/columns.ts";
import { eachOnce, recordPerRow } from "../../../infra/import/each-once.ts";
import { productOfRow, productOnce } from "../../../infra/import/product-rows.ts";

const productsOf = (rows: readonly Read<Row>[]) =>
  eachOnce(
    recordPerRow(() => rows, productOfRow),
    productOnce,
  );

const row = (number: number, fields: object) => ({ sound: { row: number, fields: { ...fields } } });

test("a product that occurs in two rows of a file is rejected in both, however far apart they are", () => {
  const rows = [
    row(2, { sku: "MUG", retail: "9.50" }),
    ...Array.from({ length: 150 }, (_, position) => row(3 + position, { sku: `OTHER-${position}` })),
    row(153, { sku: "MUG", retail: "12.50" }),
  ];

  const { count, records } = productsOf(rows);
  const read = [...records];

  const refused = read.flatMap((one) => ("refused" in one ? one.refused : []));
  expect(refused).toEqual([
    { row: 2, field: "sku", message: "is also in row 153: a product may occur once" },
    { row: 153, field: "sku", message: "is also in row 2: a product may occur once" },
  ]);
  expect([count, read.length]).toEqual([152, 152]);
});

test("a row that can't be read is rejected alone, with all that is wrong with it", () => {
  const wrong = [
    { row: 2, field: "colour", message: "is not known" },
    { row: 2, field: "weigth", message: "is not known" },
  ];

  const [first, second] = productsOf([{ refused: wrong }, row(3, { sku: "MUG" })]).records;

  expect(first).toEqual({ refused: wrong });
  expect(second).toEqual({ sound: { row: 3, record: { sku: "MUG" } } });
});
