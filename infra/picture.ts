/**
 * `npm run picture`: makes the README's picture of its text, `docs/flow.dot`, in the language of Graphviz.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { instance } from "@viz-js/viz";
import { projectRoot } from "./paths.ts";

/** The picture's file. */
export const pictureFile = join(projectRoot, "docs", "flow.svg");

/** The picture as its text says. */
export async function picture(): Promise<string> {
  const viz = await instance();
  return viz.renderString(readFileSync(join(projectRoot, "docs", "flow.dot"), "utf8"), { format: "svg" });
}

if (import.meta.main) writeFileSync(pictureFile, await picture());
