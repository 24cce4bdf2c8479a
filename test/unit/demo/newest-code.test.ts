import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { NewestCode } from "../../../infra/demo/newest-code.ts";

/** A checkout of two functions. One imports a shared file. */
function checkout() {
  const root = mkdtempSync(join(tmpdir(), "newest-code-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["functions/oms", "shared", "out"]) mkdirSync(join(root, folder), { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(join(root, file), text);
  write("shared/greeting.ts", "export const greeting = 'hello';");
  write(
    "functions/oms/ping.ts",
    "import { greeting } from '../../shared/greeting.ts'; export const handler = () => greeting;",
  );
  write("functions/health.ts", "export const handler = () => 'healthy';");
  const reported: string[] = [];
  const code = new NewestCode({ root, outdir: join(root, "out") }, (line) => reported.push(line));
  onTestFinished(code.watch());
  const textOf = async (name: string): Promise<string> => {
    const folder = await code.folderOf(name);
    return folder === undefined ? "" : readFileSync(join(folder, "index.mjs"), "utf8");
  };
  return { code, reported, write, textOf };
}

test("a function is built once, and again only after a file that it imports changed", async () => {
  const { code, reported, write, textOf } = checkout();
  const health = await code.folderOf("health");
  expect(await textOf("oms/ping")).toContain("hello");
  expect(await textOf("oms/ping")).toContain("sourceMappingURL=index.mjs.map");

  write("shared/greeting.ts", "export const greeting = 'good morning';");

  await vi.waitUntil(async () => (await textOf("oms/ping")).includes("good morning"), { timeout: 10_000 });
  expect(await code.folderOf("health")).toBe(health);
  expect(reported.filter((line) => line.startsWith("health: built"))).toHaveLength(1);
});

test("a function whose source has an error keeps its code until the error is mended", async () => {
  const { reported, write, textOf } = checkout();
  await textOf("oms/ping");

  write("shared/greeting.ts", "export const greeting = ;");
  await vi.waitUntil(
    async () =>
      (await textOf("oms/ping")) !== "" &&
      reported.some((line) => /stays as it was.*shared\/greeting.ts:1:24: ERROR/s.test(line)),
    { timeout: 10_000 },
  );
  expect(await textOf("oms/ping")).toContain("hello");
  write("shared/greeting.ts", "export const greeting = 'good evening';");

  await vi.waitUntil(async () => (await textOf("oms/ping")).includes("good evening"), { timeout: 10_000 });
});

test("pages and unknown functions keep the code that was synthesized", async () => {
  const { code } = checkout();
  expect(await Promise.all(["oms/docs", "deployment-record"].map((name) => code.folderOf(name)))).toEqual([
    undefined,
    undefined,
  ]);
});
