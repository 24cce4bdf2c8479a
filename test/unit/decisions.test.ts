import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folders = ["functions", "shared", "infra", "test"];

const headings = [...readFileSync(join(root, "docs/decisions.md"), "utf8").matchAll(/^#+ (.+)$/gm)].map(
  ([, heading = ""]) => heading,
);

/**
 * The headings that a source's comments cite, also over the end of a line; empty where only the file is
 * named.
 */
const citedIn = (source: string): readonly string[] =>
  [
    ...source.replaceAll(/\s*\n\s*(?:\*|\/\/) /g, " ").matchAll(/docs\/decisions\.md(?:, ([^.;:)\n]*))?/g),
  ].map(([, heading = ""]) => heading);

const sources = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  )
  .filter((path) => path.endsWith(".ts") && path !== "test/unit/decisions.test.ts")
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

describe("docs/decisions.md", () => {
  test("has each heading once, so that a citation is of one decision", () => {
    const repeated = headings.filter((heading, position) => headings.indexOf(heading) !== position);

    expect(headings).toContain("Bulk calls");
    expect(repeated).toEqual([]);
  });

  test("has every heading that a comment cites", () => {
    const citations = sources.flatMap(({ path, text }) =>
      citedIn(text).map((heading) => ({ path, heading })),
    );
    const missing = citations.filter(({ heading }) => !headings.includes(heading));

    expect(citations.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  test("is what comments cite, by heading and not by number", () => {
    const byNumber = sources.filter(({ text }) => /decisions, section/.test(text));

    expect(byNumber.map(({ path }) => path)).toEqual([]);
  });
});

describe("the reader of citations", () => {
  test.each([
    ["in brackets", "/** Most records (docs/decisions.md, Bulk calls). */", ["Bulk calls"]],
    ["over two lines", "/**\n * A rule (docs/decisions.md, Bulk\n * calls), and more\n */", ["Bulk calls"]],
    ["over two lines of short comments", "  // A rule: docs/decisions.md,\n  // Retries.", ["Retries"]],
    ["without a heading", "// See docs/decisions.md.", [""]],
    ["several times", "// docs/decisions.md, Stock; docs/decisions.md, Kits.", ["Stock", "Kits"]],
  ])("finds one %s", (_case, source, expected) => {
    const cited = citedIn(source);

    expect(cited).toEqual(expected);
  });
});
