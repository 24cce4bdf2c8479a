import { describe, expect, test } from "vitest";
import {
  type BinInput,
  type BinOutput,
  binModel,
  type OrderInput,
  type OrderOutput,
  orderModel,
} from "../../history/models.ts";
import { contradictionOf, type Model } from "../../support/linearizable.ts";

type Step<Input, Output> = readonly [input: Input, output: Output];

/** What no order of effects explains of these calls, one after another. */
const contradictionIn = <State, Input, Output>(
  model: Model<State, Input, Output>,
  steps: readonly Step<Input, Output>[],
) =>
  contradictionOf(
    model,
    steps.map(([input, output], position) => ({
      input,
      output,
      began: 2 * position,
      ended: 2 * position + 1,
    })),
  )?.call.input;

type OrderStep = Step<OrderInput, OrderOutput>;
const create: OrderStep = [
  { call: "create", reference: "A", units: 2 },
  { version: 1, status: "Pending" },
];
const replace = (reference: string, output: OrderOutput, expected?: number): OrderStep => [
  { call: "replace", reference, units: 2, expected },
  output,
];
const called = (call: "read" | "claim" | "ship" | "revert", output: OrderOutput): OrderStep => [
  { call },
  output,
];
const pick = (output: OrderOutput): OrderStep => [{ call: "pick", units: 2 }, output];

describe("the history of an order", () => {
  test("may claim, pick, revert, ship and refuse as its status allows", () => {
    const found = contradictionIn(orderModel(null), [
      create,
      replace("B", { version: 2, reference: "B" }, 1),
      replace("C", { refused: 412 }, 1),
      called("claim", { status: "Processing", picked: 0 }),
      replace("D", { refused: 400 }),
      pick({ status: "Processing", picked: 2 }),
      called("revert", {}),
      called("claim", { status: "Processing", picked: 0 }),
      pick({ status: "Processing", picked: 2 }),
      called("ship", { status: "Shipped" }),
      called("read", { version: 8, status: "Shipped", reference: "B" }),
    ]);

    expect(found).toBeUndefined();
  });

  test.each<readonly [string, readonly OrderStep[]]>([
    ["a change that expects another version", [replace("B", {}), replace("C", { version: 3 }, 1)]],
    ["a refusal for a version that it has", [replace("B", { refused: 412 }, 1)]],
    ["a refusal by a status that it does not have", [replace("B", { refused: 400 })]],
    ["a call that took effect twice", [replace("B", { version: 2 }), called("read", { version: 3 })]],
    ["a read of what was replaced", [replace("B", {}), called("read", { reference: "A" })]],
    ["a shipment of what was not picked", [called("claim", {}), called("ship", {})]],
    ["goods that are picked twice", [called("claim", {}), pick({ picked: 2 }), pick({ picked: 4 })]],
  ])("does not explain %s", (_, steps) => {
    expect(contradictionIn(orderModel(null), [create, ...steps])).toEqual(steps.at(-1)?.[0]);
  });
});

describe("the history of a counted bin", () => {
  const by = (qty: number, output: BinOutput): Step<BinInput, BinOutput> => [{ qty }, output];
  const to = (qty_in_bin: number, output: BinOutput): Step<BinInput, BinOutput> => [{ qty_in_bin }, output];

  test.each<readonly [string, boolean, readonly Step<BinInput, BinOutput>[]]>([
    ["adds what was accepted", true, [by(5, { units: 5 }), to(3, { units: 3 })]],
    ["refuses fewer than none", true, [by(2, { units: 2 }), by(-3, { refused: 400 })]],
    ["does not explain a count that took effect twice", false, [by(5, { units: 5 }), by(0, { units: 10 })]],
    ["does not explain a count that was lost", false, [by(5, { units: 5 }), by(1, { units: 1 })]],
    ["does not explain a wrong refusal", false, [by(5, { units: 5 }), by(-3, { refused: 400 })]],
  ])("%s", (_, isExplained, steps) => {
    expect(contradictionIn(binModel, steps) === undefined).toBe(isExplained);
  });
});
