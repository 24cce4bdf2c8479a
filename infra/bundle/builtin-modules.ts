/**
 * Node's own modules as a bundle has them.
 *
 * An `import` of one has Node load the module and read every export of it. `process.getBuiltinModule` reads
 * what is used and no more. A function waits even for that until it is called: so a module of which only
 * functions are used is loaded where one of them is.
 */

/** What each function has. */
const ofEachFunction: ReadonlySet<PropertyKey> = new Set(["length", "name", "prototype"]);

/** Whether an export is a function and nothing else: no class, and nothing that holds further functions. */
const isFunction = (name: string, value: unknown): boolean =>
  typeof value === "function" &&
  /^[a-z]/.test(name) &&
  Reflect.ownKeys(value).every((key) => ofEachFunction.has(key));

const reading = (path: string): string => `process.getBuiltinModule(${JSON.stringify(path)})`;

/** Asking Node for a module takes half a microsecond, and a call does it some dozen times. */
const once = (path: string): string => `let loaded;\nconst module = () => (loaded ??= ${reading(path)});`;

/**
 * The text of a module for `import` statements: what is exported stands alone, so that what is not used is
 * left out.
 */
export function builtinModule(path: string): string {
  const module = process.getBuiltinModule(path);
  if (module === undefined) throw new Error(`Node has no module ${path}`);
  const exports = Object.entries(Object.getOwnPropertyDescriptors(module))
    .filter(([, { enumerable }]) => enumerable)
    .map(([name, { value }]) => {
      const made = isFunction(name, value)
        ? `(...sent) => module().${name}(...sent)`
        : `/* @__PURE__ */ (() => module().${name})()`;
      return `export const ${name} = ${made};`;
    });
  return [once(path), ...exports, "export default /* @__PURE__ */ module();"].join("\n");
}

/** The text of a module for `require` and `import()`, which ask for a whole module. */
export const wholeBuiltinModule = (path: string): string => `module.exports = ${reading(path)};`;
