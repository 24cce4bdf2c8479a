import { describe, expect, test } from "vitest";
import { resolveValue, type Scope } from "../../../infra/local/assembly/intrinsics/intrinsics.ts";

const scope: Scope = {
  reference: (name) => (name === "AWS::NoValue" ? undefined : `ref:${name}`),
  attribute: (logicalId, attribute) => `${logicalId}#${attribute}`,
  importValue: (name) => `imported:${name}`,
};

describe("intrinsics", () => {
  test.each([
    ["plain values", { a: [1, "b", null, true] }, { a: [1, "b", null, true] }],
    ["Ref", { Ref: "Table" }, "ref:Table"],
    ["Fn::GetAtt with a list", { "Fn::GetAtt": ["Table", "Arn"] }, "Table#Arn"],
    ["Fn::GetAtt with dots", { "Fn::GetAtt": "Table.Stream.Arn" }, "Table#Stream.Arn"],
    ["Fn::Join", { "Fn::Join": ["-", ["a", { Ref: "B" }, 3]] }, "a-ref:B-3"],
    ["Fn::Split", { "Fn::Split": ["/", "a/b"] }, ["a", "b"]],
    ["Fn::Select of a Fn::Split", { "Fn::Select": ["1", { "Fn::Split": ["/", "a/b"] }] }, "b"],
    ["Fn::ImportValue", { "Fn::ImportValue": { "Fn::Join": [":", ["data", "Arn"]] } }, "imported:data:Arn"],
    ["Fn::Sub of references", { "Fn::Sub": "x-$" + "{Table}-$" + "{B}" }, "x-ref:Table-ref:B"],
  ])("resolves %s", (_, value, expected) => {
    expect(resolveValue(value, scope)).toEqual(expected);
  });

  test("leaves out what AWS::NoValue stands for", () => {
    const nothing = { Ref: "AWS::NoValue" };

    expect(resolveValue({ kept: 1, gone: nothing, list: [nothing, 2] }, scope)).toEqual({
      kept: 1,
      list: [2],
    });
  });

  test("refuses an intrinsic that it does not know, by name", () => {
    expect(() => resolveValue({ deep: [{ "Fn::If": ["x", 1, 2] }] }, scope)).toThrow('intrinsic "Fn::If"');
  });

  test("refuses an intrinsic whose argument makes no sense, by name", () => {
    expect(() => resolveValue({ "Fn::Select": [5, ["only"]] }, scope)).toThrow('"Fn::Select"');
    expect(() => resolveValue({ "Fn::Sub": ["$" + "{One}", { One: "1" }] }, scope)).toThrow('"Fn::Sub"');
  });
});
