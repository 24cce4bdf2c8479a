import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { plantedFaults } from "../../simulation/planted/index.ts";
import { edited } from "../../simulation/planted/plant.ts";

/**
 * Runs `npm run simulate` in a process of its own, as it replaces the clock. Returns what it prints. One
 * thread compiles the product once, and leaves the other processor to other files.
 */
async function simulate(...parameters: readonly string[]): Promise<string> {
  const run = promisify(execFile)(
    process.execPath,
    ["test/simulation/main.ts", "--workers", "1", ...parameters],
    { maxBuffer: 2 ** 26 },
  );
  const { stderr } = await run.catch((error: unknown) => {
    if (error instanceof Error && "stderr" in error) return { stderr: String(error.stderr) };
    throw error;
  });
  return stderr;
}

/** Seeds behind the first 500 schedules, each of which finds a planted fault that these do not. */
const later = [558, 577, 649, 885, 1956, 2640, 3754, 4502];

describe("simulated schedules", () => {
  test("break no rule, whatever the order of calls and faults", { timeout: 600_000 }, async () => {
    const said = await simulate("--schedules", "500", ...later.flatMap((seed) => ["--also", `${seed}`]));

    expect(said).toMatch(/, 0 broken\n$/);
    // Calls that are always refused would test nothing.
    expect(said).not.toContain("never had a success");
  });

  test("repeat exactly by their seed", { timeout: 180_000 }, async () => {
    const stories = await Promise.all(
      [1, 2].map(() => simulate("--schedules", "1", "--seed", "8", "--story")),
    );
    const [first, second] = stories.map((story) => story.replace(/in [\d.]+ s \([\d.]+ s/, ""));

    expect(first).toContain("TransactWriteItems");
    expect(second).toBe(first);
  });

  test("do not depend on what their thread ran before", { timeout: 180_000 }, async () => {
    const runs = [
      { seed: "486", schedules: "1" },
      { seed: "487", schedules: "1" },
      { seed: "486", schedules: "2" },
    ];

    const said = await Promise.all(
      runs.map(({ seed, schedules }) => simulate("--seed", seed, "--schedules", schedules)),
    );

    const [one = 0, other = 0, both] = said.map((text) => Number(/(\d+) turns/.exec(text)?.[1]));
    expect(one).toBeGreaterThan(100);
    expect(both).toBe(one + other);
  });
});

describe("planted faults", () => {
  test("each find the text of the product that they change", () => {
    for (const [name, edits] of plantedFaults) {
      const sources = new Map(edits.map(({ file }) => [file, readFileSync(file, "utf8")]));
      for (const edit of edits) {
        const changed = edited(sources.get(edit.file) ?? "", edit);
        expect({ name, isChanged: changed !== sources.get(edit.file) }).toEqual({ name, isChanged: true });
        sources.set(edit.file, changed);
      }
    }
  });

  test.each([
    { fault: "a page that claims a record more than it has", seed: 487 },
    { fault: "a retried PUT that takes effect twice", seed: 1 },
    { fault: "an unreadable record that stops the events of its shard", seed: 112 },
    { fault: "past stock by totals that are not compared with the stock", seed: 10_094 },
  ])("are found by the schedules that are kept for them: $fault", { timeout: 180_000 }, async (kept) => {
    const found = await simulate("--planted", kept.fault, "--seed", String(kept.seed), "--schedules", "1");

    expect(found).toContain(`| ${kept.fault} | 1 |`);
  });
});
