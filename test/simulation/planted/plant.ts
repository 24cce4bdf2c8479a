/** Plants a fault in the product as its modules are loaded. The product itself has no switches. */
import { registerHooks } from "node:module";
import { type Edit, plantedFaults } from "./index.ts";

/** @throws if there is no such fault, or when a file is loaded, if a text to replace is not in it once */
export function plant(name: string): void {
  const fault = plantedFaults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no planted fault is named ${name}`);
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      const edits = fault.edits.filter(({ file }) => url.endsWith(`/${file}`));
      if (edits.length === 0) return loaded;
      const { source } = loaded;
      const text = source instanceof Uint8Array ? Buffer.from(source).toString() : String(source);
      return { ...loaded, source: edits.reduce(edited, text) };
    },
  });
}

/** The source with an edit. @throws if the text to replace is not in it exactly once */
export function edited(source: string, { file, find, replace }: Edit): string {
  const [before, after, ...others] = source.split(find);
  if (before === undefined || after === undefined || others.length > 0)
    throw new Error(`${file} does not have this text once: ${find}`);
  return before + replace + after;
}
