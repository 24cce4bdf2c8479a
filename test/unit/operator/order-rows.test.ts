import { describe, expect, test } from "vitest";
import { eachOnce } from "../../../infra/import/each-once.ts";
import { orderColumns, orderOnce } from "../../../infra/import/order-lines.ts";
import { ordersIn } from "../../../infra/operator/import/orders.ts";
import { orderInput } from "../../../shared/orders/order-input.ts";
import { temporaryFiles } from "../../support/runtime/files.ts";

const fileOf = temporaryFiles();

const columns = "order_number,shipping_method,customer.city,sku,quantity";

/** The accepted orders of a file, and the rejections. */
async function resultOf(file: string) {
  const orders: object[] = [];
  const refused: string[] = [];
  for (const one of eachOnce(ordersIn(file), orderOnce).records) {
    if ("sound" in one) orders.push(one.sound.record);
    else refused.push(...one.refused.map(({ row, field, message }) => `${row} ${field} ${message}`));
  }
  return { orders, refused };
}

const alsoIn = (row: number) =>
  `order_number is also in row ${row}: an order may occur once, with consecutive lines`;

describe("orders of a CSV file", () => {
  test("every field of an order has a column, but lists and what is decided as an order is placed", () => {
    const fields = Object.keys(orderInput.shape).filter(
      (name) => !["items", "kits", "if_short"].includes(name),
    );

    const named = orderColumns.known.map((column) => column.split(".")[0]);
    expect([...new Set(named)]).toEqual([...fields, "sku", "quantity", "sold_price"]);
    expect(orderColumns.known).toEqual(
      expect.arrayContaining(["cart.store_name", "cart.id", "customer.zip", "customer.country"]),
    );
  });

  test("a column holds numbers if its field takes numbers alone", async () => {
    const zip = "00000000000000000000012";
    const file = fileOf(
      "numbers.csv",
      "order_number,order_reference,order_type_id,cart.id,cart.store_name,customer.phone,customer.zip,sku,quantity,sold_price",
      ["7", "8", "2", "3", "4", "5", zip, "6", "1e1", " 2.50 "].join(","),
    );

    const { orders } = await resultOf(file);

    expect(orders).toEqual([
      {
        ...{ order_number: "7", order_reference: "8", order_type_id: 2 },
        cart: { id: 3, store_name: "4" },
        customer: { phone: "5", zip },
        items: [{ sku: "6", quantity: 10, sold_price: 2.5 }],
      },
    ]);
  });

  test("an order has consecutive lines, of which later ones may leave the columns of the order blank", async () => {
    const file = fileOf("sound.csv", columns, "A,GROUND,Kiel,TEE,2", " A ,,Kiel,MUG,1", "B,AIR,Bonn,TEE,1");

    const { orders, refused } = await resultOf(file);

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

  test("an order whose lines are not consecutive is rejected at each of its places", async () => {
    const file = fileOf(
      "split.csv",
      columns,
      ...["A", "B", "A", "C", "B", "A"].map((n) => `${n},AIR,Kiel,TEE,1`),
    );

    const { orders, refused } = await resultOf(file);

    expect(orders).toEqual([expect.objectContaining({ order_number: "C" })]);
    expect(refused).toEqual([
      `2 ${alsoIn(4)}`,
      `3 ${alsoIn(6)}`,
      `4 ${alsoIn(2)}`,
      `6 ${alsoIn(3)}`,
      `7 ${alsoIn(2)}`,
    ]);
  });

  test("an order is rejected as a whole if a later line has other values for the order, or no number", async () => {
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

    const { orders, refused } = await resultOf(file);

    expect(orders).toEqual([expect.objectContaining({ order_number: "C" })]);
    expect(refused).toEqual([
      "2  is not imported, because a later line of the order is invalid",
      "3 shipping_method differs from row 2, the first line of the order",
      "3 customer.city differs from row 2, the first line of the order",
      "4  is not imported, because a later line of the order is invalid",
      "5 order_number is required",
    ]);
  });

  test.each([
    ["an unknown column", "colour", `the column "colour" is not known`],
    ["a row of another length", "quantity,sold_price", "row 2 has more or fewer fields"],
  ])("all orders of the file are rejected for %s", async (_case, more, message) => {
    const file = fileOf("wrong.csv", `order_number,sku,${more}`, "A,TEE,1");

    await expect(resultOf(file)).rejects.toThrow(message);
  });
});

describe("orders of a JSON file", () => {
  test("a record that is no object, or has unknown fields, is rejected on its own", async () => {
    const wrong = { order_number: "B", customer: { planet: "Mars", frstname: "Ada" } };
    const sound = [{ order_number: "A" }, { order_number: "C", items: [] }];
    const file = fileOf("orders.json", JSON.stringify([sound[0], wrong, [1], sound[1]]));

    const { orders, refused } = await resultOf(file);

    expect(orders).toEqual(sound);
    expect(refused).toEqual([
      "2 customer.planet is not known",
      "2 customer.frstname is not known; did you mean firstname?",
      "3  is not a JSON object",
    ]);
  });

  test("an order whose number occurs twice is rejected at both places", async () => {
    const file = fileOf("twice.json", JSON.stringify([{ order_number: "A" }, { order_number: "A " }]));

    const { orders, refused } = await resultOf(file);

    expect(orders).toEqual([]);
    expect(refused).toEqual([`1 ${alsoIn(2)}`, `2 ${alsoIn(1)}`]);
  });
});
