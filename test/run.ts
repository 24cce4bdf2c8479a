/** `npm test`: types, lint and every test; ends with the line `N passed, M failed`. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";

const report = z.object({ numPassedTests: z.int(), numFailedTests: z.int(), success: z.boolean() });

const folder = mkdtempSync(join(tmpdir(), "test-report-"));
const file = join(folder, "report.json");

function succeeds(title: string, command: string, ...parameters: readonly string[]): boolean {
  process.stdout.write(`\n${title}\n`);
  return spawnSync(command, parameters, { stdio: "inherit" }).status === 0;
}

/** A run that died before it reported has not passed. */
function readReport(): z.output<typeof report> {
  try {
    return report.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, success: false };
  }
}

const checks = [succeeds("Types", "tsc", "--noEmit"), succeeds("Lint", "biome", "ci", ".")];
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
const ran = succeeds("Tests", "vitest", "run", ...reporters, ...process.argv.slice(2));
const { numPassedTests, numFailedTests, success } = readReport();
rmSync(folder, { recursive: true });

const failedChecks = checks.filter((passed) => !passed).length;
// A run can fail without a failed test: a file that does not load, an error outside of any test.
const failed = numFailedTests + failedChecks + (numFailedTests === 0 && !(ran && success) ? 1 : 0);
process.stdout.write(`\n${numPassedTests + checks.length - failedChecks} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
