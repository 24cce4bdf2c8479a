import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { synthesizedMark } from "../../infra/outputs.ts";
import { synthesize } from "../../infra/synthesize.ts";

test("the same sources are bundled and synthesized once", async () => {
  const assembly = await synthesize();
  const made = statSync(join(assembly, "manifest.json")).mtimeMs;

  const again = await synthesize();

  expect(existsSync(synthesizedMark)).toBe(true);
  expect([again, statSync(join(again, "manifest.json")).mtimeMs]).toEqual([assembly, made]);
});
