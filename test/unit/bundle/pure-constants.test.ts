import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { withPureConstants } from "../../../infra/bundle/pure-constants.ts";

/** What is left of a module that nothing is imported from. */
const leftOf = (module: string): string =>
  transformSync(withPureConstants(module), { loader: "js", format: "esm", treeShaking: true }).code;

describe("a constant that nothing uses is left out", () => {
  test.each([
    ["of one call", "const a = z.string();"],
    [
      "of several calls",
      "const a = z.object({ b: z.optional(text(5)).check(z.trim()), c: new Set([d()]) });",
    ],
    ["that reads a property", "const a = b.shape.c;"],
    ["that copies others", "const a = [...b, ...c];"],
    ["with a function", "const a = z.string().check(z.refine((value) => isRight(value)));"],
    ["beside another one", "const a = b(), c = d();"],
  ])("%s", (_, module) => {
    expect(leftOf(module)).toBe("");
  });
});

describe("nothing else changes", () => {
  test.each([
    ["a statement", "z.config({ a: b() });"],
    ["a function", "export function f() { g(); }"],
    ["a constant that is a function", "export const f = () => { g(); };"],
    ["a constant that is a class", "export const F = class { a = g(); };"],
    ["a constant that is said as it is", 'export const a = { b: ["c(d)", `e`, 5], f: /g/ };'],
    ["what waits", "export const f = h(await g());"],
    ["a constant of a block", "if (a) { const b = c(); }"],
    ["a variable", "let a = b();"],
  ])("%s", (_, module) => {
    expect(withPureConstants(module)).toBe(module);
  });

  test("statements behind a constant, whether it ends with a semicolon or not", () => {
    const module = "const a = b()\nc()\nconst d = e(); f(); g();";

    expect(leftOf(module)).toBe("c();\nf();\ng();\n");
  });

  test("what a constant says, calls or not", () => {
    const module = 'const a = ["b(c)", `d(1)`, /e(f)g/.source, h("i(j)"), { k: { ...l } }.k];';
    const evaluated = (code: string): unknown =>
      new Function("h", "l", `${code} return a;`)((text: string) => text, { m: 1 });

    expect(withPureConstants(module)).not.toBe(module);
    expect(evaluated(withPureConstants(module))).toEqual(evaluated(module));
  });
});
