import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { digestOfSources } from "../../../infra/bundle/sources.ts";

let root: string;
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sources-test-"));
  for (const file of ["functions/a.ts", "shared/deep/b.ts", "infra/c.mjs", "package-lock.json"])
    write(file, "1");
});
afterEach(() => rmSync(root, { recursive: true }));

test.each<[string, () => void]>([
  ["a changed function", () => write("functions/a.ts", "2")],
  ["a changed file deep in a folder", () => write("shared/deep/b.ts", "2")],
  ["a changed script of the infrastructure", () => write("infra/c.mjs", "2")],
  ["other packages", () => write("package-lock.json", "2")],
  ["a new file", () => write("shared/new.ts", "")],
  ["a deleted file", () => rmSync(join(root, "functions/a.ts"))],
  ["another name", () => renameSync(join(root, "functions/a.ts"), join(root, "functions/z.ts"))],
])("%s changes the digest of the sources", (_case, change) => {
  const before = digestOfSources(root);

  change();

  expect(digestOfSources(root)).not.toBe(before);
});

test("tests, texts and packages leave the digest of the sources as it is", () => {
  const before = digestOfSources(root);

  for (const file of ["test/a.test.ts", "README.md", "docs/d.md", "infra/p/node_modules/q/r.ts"])
    write(file, "2");

  expect(digestOfSources(root)).toBe(before);
});
