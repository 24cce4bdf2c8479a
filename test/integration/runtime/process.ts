import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { expectFree } from "../../../infra/local/index.ts";

/** Runs a script of the project, named from its root, and collects what it says. */
export const run = (file: string, ...args: string[]) => {
  const script = join(import.meta.dirname, "..", "..", "..", file);
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  return { child, said };
};

export const portOf = (url: string): number => Number(new URL(url).port);

/** Resolves when nothing listens there any more. */
export const becomesFree = (port: number) =>
  expect.poll(() => expectFree(port).catch(() => 0), { timeout: 10_000 }).toBe(port);
