/**
 * Tells the bundler which constants a bundle may leave out where nothing uses them.
 *
 * A bundle that needs anything of a module has all of the module's schemas, since the bundler can't know that
 * making one does nothing else. To make hundreds of them takes a function more time than to load all of its
 * other code. Here, a module's constants do nothing but be made. So the value of a constant becomes the
 * result of a function that is marked as pure. Where the constant stays, the bundler replaces the call by the
 * value.
 */
import { type Node, type Program, parse } from "acorn";

/** What the bundler keeps in case that it does something. */
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

/** Whether code has something of these types that is done at once, and not when a function is called. */
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

/** The text of a JavaScript module, with the values of its constants marked. */
export function withPureConstants(module: string): string {
  const values = valuesIn(parse(module, { ecmaVersion: "latest", sourceType: "module" }));
  return values.reduceRight(
    (text, { start, end }) =>
      `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
    module,
  );
}
