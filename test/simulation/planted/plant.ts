/** Plants a fault in the product as its modules are loaded. The product itself has no switches. */
import { registerHooks } from "node:module";
import { plantedFaults } from "./index.ts";

/** @throws if there is no such fault, or when its file is loaded, if the text to replace is not in it once */
export function plant(name: string): void {
  const fault = plantedFaults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no planted fault is named ${name}`);
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (!url.endsWith(`/${fault.file}`)) return loaded;
      const source =
        loaded.source instanceof Uint8Array ? Buffer.from(loaded.source).toString() : String(loaded.source);
      return { ...loaded, source: withFault(source, fault) };
    },
  });
}

/** The source with the fault. @throws if the text to replace is not in it exactly once */
export function withFault(
  source: string,
  { name, find, replace }: { readonly name: string; readonly find: string; readonly replace: string },
): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`the text of the fault "${name}" occurs ${parts.length - 1} times`);
  return parts.join(replace);
}
