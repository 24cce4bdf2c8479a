import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stack } from "aws-cdk-lib";
import { afterEach, expect, test, vi } from "vitest";
import { functions } from "../../functions/index.ts";
import { buildApp } from "../../infra/app.ts";
import { synthesizedMark } from "../../infra/outputs.ts";
import { localContext, synthesize } from "../../infra/synthesize.ts";

afterEach(() => void vi.unstubAllEnvs());

test("the same sources are bundled and synthesized once", async () => {
  const assembly = await synthesize();
  const made = statSync(join(assembly, "manifest.json")).mtimeMs;

  const again = await synthesize();

  expect(existsSync(synthesizedMark)).toBe(true);
  expect([again, statSync(join(again, "manifest.json")).mtimeMs]).toEqual([assembly, made]);
});

test("what an operator states in cdk.json for AWS changes nothing of what runs on this machine", () => {
  const outdir = mkdtempSync(join(tmpdir(), "synthesize-test-"));
  const context = { deployment: "shop", eventsWindow: 5, firewall: {} };
  const few = Object.fromEntries(
    Object.entries(functions).filter(([key]) => ["not-found", "jobs/apply-recount"].includes(key)),
  );
  vi.stubEnv("CDK_CONTEXT_JSON", JSON.stringify(localContext));

  const app = buildApp({ functions: few, outdir, context });
  const names = app.node.children.flatMap((child) => (Stack.isStack(child) ? [child.stackName] : []));

  rmSync(outdir, { recursive: true });
  expect(names).toContain("oiw-stage");
  expect(names).not.toContain("oiw-firewall");
});
