import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Everything that bundles and templates are made from. The lockfile stands for the packages. */
const patterns = [
  "{functions,shared,infra}/**/*.{ts,tsx,mjs,md,css,txt,json}",
  "{cdk,package,package-lock,tsconfig}.json",
];

/** A digest of a checkout's sources. It depends on every file's name and content. */
export const digestOfSources = (root: string): string => {
  const digest = createHash("sha256");
  for (const file of globSync(patterns, { cwd: root, exclude: ["**/node_modules"] }).toSorted()) {
    const content = readFileSync(join(root, file));
    digest.update(`${file}\n${content.length}\n`).update(content);
  }
  return digest.digest("hex");
};
