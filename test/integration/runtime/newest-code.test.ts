import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { startRuntime } from "../../../infra/local/index.ts";
import { temporaryFolder, writeAssembly } from "./fixture/assembly.ts";

const { folder, remove } = temporaryFolder();
afterAll(remove);

/** Answers with its version; an event that waits does so for half a second. */
const version = (number: number) => `
export const handler = async ({ waits }) => {
  if (waits) await new Promise((resolve) => setTimeout(resolve, 500));
  return ${number};
};`;

test("an event gets the newest code, and an event under way ends with the code it began with", async () => {
  const newer = join(folder, "newer");
  mkdirSync(newer);
  writeFileSync(join(newer, "index.mjs"), version(2));
  let newest: string | undefined;
  const runtime = await startRuntime({
    assembly: writeAssembly(folder, { versioned: { code: version(1) } }),
    dynamodbEndpoint: inject("dynamodbEndpoint"),
    codeOf: async () => newest,
  });
  onTestFinished(() => runtime.stop());
  expect(await runtime.invoke("versioned", {})).toBe(1);

  const underWay = runtime.invoke("versioned", { waits: true });
  await new Promise((resolve) => setTimeout(resolve, 100));
  newest = newer;
  const next = await runtime.invoke("versioned", {});

  expect([await underWay, next, await runtime.invoke("versioned", {})]).toEqual([1, 2, 2]);
}, 60_000);

test("code of a debugged runtime has no timeout", async () => {
  const waiting = `export const handler = async () => new Promise((resolve) => setTimeout(resolve, 1500, "done"));`;
  const assembly = writeAssembly(folder, { waiting: { code: waiting, timeoutSeconds: 1 } });
  const runtime = await startRuntime({
    assembly,
    dynamodbEndpoint: inject("dynamodbEndpoint"),
    isDebugged: true,
  });
  onTestFinished(() => runtime.stop());

  expect(await runtime.invoke("waiting", {})).toBe("done");
}, 60_000);
