/**
 * Tells the bundler which constants it may drop if nothing uses them.
 *
 * A bundle that imports anything of a module contains all of the module's schemas, because the bundler can't
 * know that creating one has no side effects. Creating hundreds of schemas takes a function longer than
 * loading all of its other code. In this project, the value of a module's constant has no side effects. So
 * the value is wrapped in a function call that is marked as pure. If the constant is used, the bundler
 * replaces the call by the value.
 */
import { type Node, type Program, parse } from "acorn";

/** The expressions that the bundler keeps because they may have side effects. */
const keepsConstant: ReadonlySet<string> = new Set([
  "CallExpression",
  "MemberExpression",
  "NewExpression",
  "SpreadElement",
  "TaggedTemplateExpression",
]);

const waits: ReadonlySet<string> = new Set(["AwaitExpression"]);

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

/** Whether code has an expression of these types that is evaluated immediately, outside functions. */
function does(types: ReadonlySet<string>, code: unknown): boolean {
  if (Array.isArray(code)) return code.some((part) => does(types, part));
  if (!isNode(code) || /Function|Class/.test(code.type)) return false;
  return types.has(code.type) || Object.values(code).some((part) => does(types, part));
}

/** The values of a module's constants that the bundler would keep. */
const valuesIn = ({ body }: Program): readonly Node[] =>
  body
    .map((statement) => (statement.type === "ExportNamedDeclaration" ? statement.declaration : statement))
    .flatMap((statement) =>
      statement?.type === "VariableDeclaration" && statement.kind === "const" ? statement.declarations : [],
    )
    .flatMap(({ init }) => (init && does(keepsConstant, init) && !does(waits, init) ? [init] : []));

/** The text of a JavaScript module in which the values of its constants are marked as pure. */
export function withPureConstants(module: string): string {
  const values = valuesIn(parse(module, { ecmaVersion: "latest", sourceType: "module" }));
  return values.reduceRight(
    (text, { start, end }) =>
      `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
    module,
  );
}
