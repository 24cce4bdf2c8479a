/**
 * Node's own modules as a bundle imports them.
 *
 * An `import` of one makes Node load the module and read every export. `process.getBuiltinModule` reads only
 * what is used. An exported function waits even for that until it is called, so a module of which only
 * functions are used is loaded at the first call.
 */

/** What each function has. */
const ofEachFunction: ReadonlySet<PropertyKey> = new Set(["length", "name", "prototype"]);

/** Whether an export is only a function: not a class, and without functions of its own. */
const isFunction = (name: string, value: unknown): boolean =>
  typeof value === "function" &&
  /^[a-z]/.test(name) &&
  Reflect.ownKeys(value).every((key) => ofEachFunction.has(key));

const reading = (path: string): string => `process.getBuiltinModule(${JSON.stringify(path)})`;

/** Cached: asking Node for a module takes half a microsecond, and a call would do it dozens of times. */
const once = (path: string): string => `let loaded;\nconst module = () => (loaded ??= ${reading(path)});`;

/**
 * The text of a module for `import` statements. Each export is a declaration of its own, so that unused ones
 * are dropped.
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

/** The text of a module for `require` and `import()`, which return the whole module. */
export const wholeBuiltinModule = (path: string): string => `module.exports = ${reading(path)};`;
