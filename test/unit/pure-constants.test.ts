import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { withPureConstants } from "../../infra/pure-constants.ts";

/** What is left of a module that nothing is imported from. */
const leftOf = (module: string): string =>
  transformSync(withPureConstants(module), { loader: "ts", format: "esm", treeShaking: true }).code;

describe("a constant that nothing uses is left out", () => {
  test.each([
    ["of one line", "const a = z.string();\n"],
    [
      "of several lines",
      "const a = z.object({\n  b: z.optional(text(5)).check(z.trim()),\n  c: new Set([d()]),\n});\n",
    ],
    ["that is stated beside its type", "const a: Map<string, number> = made(1);\n"],
    ["with texts that look like calls", 'const a = f("g(x)", `h(y)`, /i(j)/, /* k( */ 1);\n'],
  ])("%s", (_, module) => {
    expect(leftOf(module)).toBe("");
  });
});

describe("nothing else changes", () => {
  test.each([
    ["a statement", "z.config({ a: b() });\n"],
    ["a function", "export function f() {\n  g();\n}\n"],
    ["a constant with a function", "export const f = () => {\n  g();\n};\n"],
    ["what waits", "export const f = await g();\n"],
    ["a constant of a block", "if (a) {\n  const b = c();\n}\n"],
  ])("%s", (_, module) => {
    expect(withPureConstants(module)).toBe(module);
  });

  test("what a constant says, calls or not", () => {
    const module = 'export const a = ["b(c)", `d(1)`, /e(f)g/.source, h("i(j)")];\n';
    const evaluated = (code: string): unknown =>
      new Function("h", `${code.replace("export const a =", "return")}`)((text: string) => text);

    expect(withPureConstants(module)).not.toBe(module);
    expect(evaluated(withPureConstants(module))).toEqual(evaluated(module));
  });
});
