import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stack } from "aws-cdk-lib";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { functions } from "../../functions/index.ts";
import { buildApp, warnIfAlarmsNotifyNoOne } from "../../infra/app.ts";
import { synthesizedMark } from "../../infra/paths.ts";
import { localContext, synthesize } from "../../infra/synthesize.ts";

afterEach(() => void vi.unstubAllEnvs());

const few = Object.fromEntries(
  Object.entries(functions).filter(([key]) => ["not-found", "jobs/apply-recount"].includes(key)),
);

function appWith(context: Readonly<Record<string, unknown>>) {
  const outdir = mkdtempSync(join(tmpdir(), "synthesize-test-"));
  onTestFinished(() => rmSync(outdir, { recursive: true }));
  return buildApp({ functions: few, outdir, context });
}

test("the same sources are bundled and synthesized once", async () => {
  const assembly = await synthesize();
  const made = statSync(join(assembly, "manifest.json")).mtimeMs;

  const again = await synthesize();

  expect(existsSync(synthesizedMark)).toBe(true);
  expect([again, statSync(join(again, "manifest.json")).mtimeMs]).toEqual([assembly, made]);
});

test("what an operator states in cdk.json for AWS changes nothing of what runs on this machine", () => {
  vi.stubEnv("CDK_CONTEXT_JSON", JSON.stringify(localContext));

  const app = appWith({ deployment: "shop", eventsWindow: 5, firewall: {} });
  const names = app.node.children.flatMap((child) => (Stack.isStack(child) ? [child.stackName] : []));

  expect(names).toContain("oiw-stage");
  expect(names).not.toContain("oiw-firewall");
});

test("a synthesis warns that alarms notify no one, unless an address is stated", () => {
  const warnings = [{}, { alarmEmail: "operator@example.com" }].map((context) => {
    const app = appWith(context);

    warnIfAlarmsNotifyNoOne(app);

    const { metadata } = app.node.findChild("Alerts").node;
    return metadata.filter(({ type }) => type === "aws:cdk:warning").map(({ data }) => String(data));
  });

  expect(warnings).toEqual([[expect.stringContaining("Alarms notify no one")], []]);
});
