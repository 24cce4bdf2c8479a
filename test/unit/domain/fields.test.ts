import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  amount,
  countedQuantity,
  id,
  name,
  optionalText,
  quantity,
  quantityChange,
  records,
  text,
} from "../../../shared/domain/fields.ts";
import { orderInput } from "../../../shared/domain/orders/order.ts";
import { orderInputOf } from "../samples.ts";

const billion = 1_000_000_000;

interface Rule {
  readonly schema: z.ZodMiniType;
  readonly right: readonly unknown[];
  readonly wrong: readonly unknown[];
}

const rules: Readonly<Record<string, Rule>> = {
  "a text": {
    schema: text(),
    right: ["x", " ", "x".repeat(255)],
    wrong: ["", "x".repeat(256), 5, null, undefined],
  },
  "an optional text": {
    schema: optionalText(),
    right: ["", "x", "x".repeat(255), undefined],
    wrong: ["x".repeat(256), 5, null],
  },
  "a name": { schema: name, right: ["x", "x".repeat(100)], wrong: ["", "x".repeat(101), 5] },
  "a quantity": {
    schema: quantity,
    right: [1, billion],
    wrong: [0, -1, 1.5, billion + 1, "1", true, null, Number.NaN, Number.POSITIVE_INFINITY],
  },
  "a change of a quantity": {
    schema: quantityChange,
    right: [-billion, -1, 0, billion],
    wrong: [-billion - 1, billion + 1, 0.5, "1"],
  },
  "a counted quantity": { schema: countedQuantity, right: [0, billion], wrong: [-1, billion + 1, 0.5, "1"] },
  "an amount": {
    schema: amount,
    right: [0, 0.01, 19.99, billion],
    wrong: [-0.01, billion + 0.5, "1", Number.NaN, Number.POSITIVE_INFINITY],
  },
  "an id": { schema: id, right: [1, Number.MAX_SAFE_INTEGER], wrong: [0, -1, 1.5, "1", 2 ** 53] },
};

const casesOf = (which: "right" | "wrong") =>
  Object.entries(rules).flatMap(([field, rule]) =>
    rule[which].map((value) => ({ field, value, schema: rule.schema })),
  );

describe("a field", () => {
  test.each(casesOf("right"))("$field can be $value", ({ schema, value }) => {
    expect(z.safeParse(schema, value)).toEqual({ success: true, data: value });
  });

  test.each(casesOf("wrong"))("$field cannot be $value", ({ schema, value }) => {
    expect(z.safeParse(schema, value).success).toBe(false);
  });
});

describe("a bulk body", () => {
  const body = records(z.object({ sku: name }));
  const holding = (count: number) => ({ data: Array.from({ length: count }, () => ({ sku: "TEE" })) });

  test.each([1, 100])("may hold %i records", (count) => {
    expect(z.safeParse(body, holding(count)).success).toBe(true);
  });

  test.each([0, 101])("may not hold %i records", (count) => {
    expect(z.safeParse(body, holding(count)).success).toBe(false);
  });

  test("loses fields that are not declared", () => {
    expect(z.parse(body, { data: [{ sku: "TEE", more: 1 }], extra: true })).toEqual({
      data: [{ sku: "TEE" }],
    });
  });
});

describe("text that the database could not keep as it is", () => {
  test("is refused where it would be too long for a sort key", () => {
    const input = orderInputOf({ cart: { store_name: "x".repeat(256) } });

    expect(z.safeParse(orderInput, input).success).toBe(false);
  });

  test.each(["S\ud800", "\udc00S"])("is refused where it has half a character: %j", (half) => {
    expect(z.safeParse(name, half).success).toBe(false);
  });
});

test.each([1e-200, 1e-10])("an amount of %d, which nobody means, is refused", (value) => {
  expect(z.safeParse(amount, value).success).toBe(false);
});
