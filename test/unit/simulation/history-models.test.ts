import { describe, expect, test } from "vitest";
import {
  type BinInput,
  type BinOutput,
  binModel,
  type OrderInput,
  type OrderOutput,
  orderModel,
} from "../../history/models.ts";
import { type Call, contradictionOf } from "../../support/linearizable.ts";

type Step<Input, Output> = readonly [input: Input, output: Output | undefined];

const sequence = <Input, Output>(steps: readonly Step<Input, Output>[]): readonly Call<Input, Output>[] =>
  steps.map(([input, output], position) => ({
    input,
    output,
    began: 2 * position,
    ended: output === undefined ? Number.POSITIVE_INFINITY : 2 * position + 1,
  }));

const create: Step<OrderInput, OrderOutput> = [
  { call: "create", reference: "A", units: 2 },
  { version: 1, status: "Pending" },
];
const replace = (reference: string, expected?: number): OrderInput => ({
  call: "replace",
  reference,
  units: 2,
  expected,
});
const read: OrderInput = { call: "read" };

/** The calls of one order that no order of effects explains. */
const contradiction = (...steps: readonly Step<OrderInput, OrderOutput>[]) =>
  contradictionOf(orderModel(null), sequence([create, ...steps]))?.call.input;

describe("the history of an order", () => {
  test("may claim, pick, revert, ship and refuse as its status allows", () => {
    const found = contradiction(
      [replace("B", 1), { version: 2, reference: "B" }],
      [replace("C", 1), { refused: 412 }],
      [{ call: "claim" }, { status: "Processing", picked: 0 }],
      [replace("D"), { refused: 400 }],
      [
        { call: "pick", units: 2 },
        { status: "Processing", picked: 2 },
      ],
      [{ call: "revert" }, {}],
      [{ call: "claim" }, { status: "Processing", picked: 0 }],
      [
        { call: "pick", units: 2 },
        { status: "Processing", picked: 2 },
      ],
      [{ call: "ship" }, { status: "Shipped" }],
      [read, { version: 8, status: "Shipped", reference: "B" }],
    );

    expect(found).toBeUndefined();
  });

  test.each<[string, readonly Step<OrderInput, OrderOutput>[]]>([
    [
      "a change that expects another version",
      [
        [replace("B"), {}],
        [replace("C", 1), { version: 3 }],
      ],
    ],
    ["a refusal for a version that it has", [[replace("B", 1), { refused: 412 }]]],
    ["a refusal by a status that it does not have", [[replace("B"), { refused: 400 }]]],
    [
      "a call that took effect twice",
      [
        [replace("B"), { version: 2 }],
        [read, { version: 3 }],
      ],
    ],
    [
      "a read of what was replaced",
      [
        [replace("B"), {}],
        [read, { reference: "A" }],
      ],
    ],
    [
      "a shipment of what was not picked",
      [
        [{ call: "claim" }, {}],
        [{ call: "ship" }, { status: "Shipped" }],
      ],
    ],
    [
      "goods that are picked twice",
      [
        [{ call: "claim" }, {}],
        [{ call: "pick", units: 2 }, { picked: 2 }],
        [{ call: "pick", units: 2 }, { picked: 4 }],
      ],
    ],
  ])("does not explain %s", (_, steps) => {
    expect(contradiction(...steps)).toEqual(steps.at(-1)?.[0]);
  });
});

describe("the history of a counted bin", () => {
  test.each<[string, readonly Step<BinInput, BinOutput>[], boolean]>([
    [
      "adds what was accepted",
      [
        [{ qty: 5 }, { units: 5 }],
        [{ qty_in_bin: 3 }, { units: 3 }],
      ],
      true,
    ],
    [
      "refuses fewer than none",
      [
        [{ qty: 2 }, { units: 2 }],
        [{ qty: -3 }, { refused: 400 }],
      ],
      true,
    ],
    [
      "does not explain a count that took effect twice",
      [
        [{ qty: 5 }, { units: 5 }],
        [{ qty: 0 }, { units: 10 }],
      ],
      false,
    ],
    [
      "does not explain a count that was lost",
      [
        [{ qty: 5 }, { units: 5 }],
        [{ qty: 1 }, { units: 1 }],
      ],
      false,
    ],
    [
      "does not explain a wrong refusal",
      [
        [{ qty: 5 }, { units: 5 }],
        [{ qty: -3 }, { refused: 400 }],
      ],
      false,
    ],
  ])("%s", (_, steps, isExplained) => {
    expect(contradictionOf(binModel, sequence(steps)) === undefined).toBe(isExplained);
  });
});
