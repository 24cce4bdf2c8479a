/** `npm run picture`: renders the README's picture from its source in Graphviz, `docs/flow.dot`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { instance } from "@viz-js/viz";
import { projectRoot } from "./paths.ts";

/** The rendered picture. */
export const pictureFile = join(projectRoot, "docs", "flow.svg");

/** Renders the picture from its source. */
export async function picture(): Promise<string> {
  const viz = await instance();
  return viz.renderString(readFileSync(join(projectRoot, "docs", "flow.dot"), "utf8"), { format: "svg" });
}

if (import.meta.main) writeFileSync(pictureFile, await picture());
