import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

/** Runs `npm run simulate` in a process of its own, as it replaces the clock. Returns what it prints. */
async function simulate(...parameters: readonly string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, ["test/simulation/main.ts", ...parameters], {
    maxBuffer: 2 ** 26,
  });
  const { stderr } = await run.catch((error: unknown) => {
    if (error instanceof Error && "stderr" in error) return { stderr: String(error.stderr) };
    throw error;
  });
  return stderr;
}

describe("simulated schedules", () => {
  test("break no rule, whatever the order of calls and faults", { timeout: 240_000 }, async () => {
    expect(await simulate("--schedules", "1000", "--workers", "2")).toMatch(/, 0 broken\n$/);
  });

  test("repeat exactly by their seed", { timeout: 60_000 }, async () => {
    const stories = await Promise.all(
      [1, 2].map(() => simulate("--schedules", "1", "--workers", "1", "--seed", "8", "--story")),
    );
    const [first, second] = stories.map((story) => story.replace(/in [\d.]+ s \([\d.]+ s/, ""));

    expect(first).toContain("TransactWriteItems");
    expect(second).toBe(first);
  });
});
