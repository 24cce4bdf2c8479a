import { describe, expect, test } from "vitest";
import { ordersIn } from "../../../infra/operator/import/order-rows.ts";
import { temporaryFiles } from "../../support/runtime/files.ts";

const fileOf = temporaryFiles();

const columns = "order_number,shipping_method,customer.city,sku,quantity";

/** What becomes of the orders of a file: the numbers of those handed on, and the rejections. */
async function readOf(file: string) {
  const orders: object[] = [];
  const refused: string[] = [];
  for await (const one of ordersIn(file)) {
    if ("sound" in one) orders.push(one.sound.record);
    else refused.push(...one.refused.map(({ row, field, message }) => `${row} ${field} ${message}`));
  }
  return { orders, refused };
}

const elsewhere = (row: number) =>
  `order_number is in row ${row} too: an order is stated once, and its lines follow one another`;

describe("orders of a CSV file", () => {
  test("take the lines that follow one another, which may leave blank what the first line says", async () => {
    const file = fileOf("sound.csv", columns, "A,GROUND,Kiel,TEE,2", " A ,,Kiel,MUG,1", "B,AIR,Bonn,TEE,1");

    const { orders, refused } = await readOf(file);

    expect(refused).toEqual([]);
    expect(orders).toEqual([
      {
        order_number: "A",
        shipping_method: "GROUND",
        customer: { city: "Kiel" },
        items: [
          { sku: "TEE", quantity: 2 },
          { sku: "MUG", quantity: 1 },
        ],
      },
      expect.objectContaining({ order_number: "B" }),
    ]);
  });

  test("are refused in every place where their lines don't follow one another", async () => {
    const file = fileOf(
      "split.csv",
      columns,
      ...["A", "B", "A", "C", "B", "A"].map((n) => `${n},AIR,Kiel,TEE,1`),
    );

    const { orders, refused } = await readOf(file);

    expect(orders).toEqual([expect.objectContaining({ order_number: "C" })]);
    expect(refused).toEqual([
      `2 ${elsewhere(4)}`,
      `3 ${elsewhere(6)}`,
      `4 ${elsewhere(2)}`,
      `6 ${elsewhere(3)}`,
      `7 ${elsewhere(2)}`,
    ]);
  });

  test("are refused whole where a later line says something else of the order, or has no number", async () => {
    const file = fileOf(
      "other.csv",
      columns,
      ...[
        "A,GROUND,Kiel,TEE,1",
        "A,AIR,Bonn,TEE,1",
        "B,AIR,Kiel,TEE,1",
        ",AIR,Kiel,MUG,1",
        "C,AIR,Kiel,TEE,1",
      ],
    );

    const { orders, refused } = await readOf(file);

    expect(orders).toEqual([expect.objectContaining({ order_number: "C" })]);
    expect(refused).toEqual([
      "2  is left out, because a later line of its order is wrong",
      "3 shipping_method is another than in row 2, where the order begins",
      "3 customer.city is another than in row 2, where the order begins",
      "4  is left out, because a later line of its order is wrong",
      "5 order_number is required",
    ]);
  });

  test.each([
    ["a column that nothing reads", "colour", "The column colour is not known"],
    ["a row of another length", "quantity,sold_price", "row 2 has more or fewer fields"],
  ])("are refused together for %s", async (_case, more, message) => {
    const file = fileOf("wrong.csv", `order_number,sku,${more}`, "A,TEE,1");

    await expect(readOf(file)).rejects.toThrow(message);
  });
});

describe("orders of a JSON file", () => {
  test("are refused one by one: what is no object, and what has fields that an order lacks", async () => {
    const file = fileOf(
      "orders.jsonl",
      '{"order_number":"A"}',
      '{"order_number":"B","customer":{"planet":"Mars"}}',
      "{broken",
      "[1]",
      '{"order_number":"C","items":[]}',
    );

    const { orders, refused } = await readOf(file);

    expect(orders).toEqual([{ order_number: "A" }, { order_number: "C", items: [] }]);
    expect(refused).toEqual([
      expect.stringMatching(/^2 customer\.planet /),
      "3  is not a JSON object",
      "4  is not a JSON object",
    ]);
  });

  test("are refused where one number is stated twice", async () => {
    const file = fileOf("twice.json", JSON.stringify([{ order_number: "A" }, { order_number: "A " }]));

    const { orders, refused } = await readOf(file);

    expect(orders).toEqual([]);
    expect(refused).toEqual([`1 ${elsewhere(2)}`, `2 ${elsewhere(1)}`]);
  });
});
