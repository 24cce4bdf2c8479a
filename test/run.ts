/**
 * `npm test`: types, lint and every test; ends with the line `N passed, M failed`. With `--long`, random
 * operations are many. Everything else on the command line is vitest's: `npm test -- --project unit`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import * as z from "zod";
import { judgePermissions } from "./permissions.ts";
import { permissionsVariable } from "./support/runtime/permissions.ts";

const report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});
type Report = z.output<typeof report>;

/** How many files the run names as its slowest. */
const slowest = 5;

/** What a check without tests has said, and whether it passed. */
interface Checked {
  readonly title: string;
  readonly said: string;
  readonly passed: boolean;
}

const check = (title: string, command: string, ...parameters: readonly string[]): Promise<Checked> =>
  new Promise((settle, fail) => {
    // Go's programs (tsc is one) collect garbage again and again by default, a quarter of their time, to save
    // little memory.
    const env = { ...process.env, GOGC: "400" };
    const child = spawn(command, parameters, { stdio: ["ignore", "pipe", "pipe"], env });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk));
    child.on("error", fail);
    child.on("close", (code) =>
      settle({ title, said: Buffer.concat(said).toString("utf8"), passed: code === 0 }),
    );
  });

type Ran = Report & { readonly ran: boolean };

/** Runs the tests. A run that died before it reported has not passed. */
async function runTests(parameters: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "test-report-"));
  const file = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  process.stdout.write("\nTests\n");
  const options = { stdio: "inherit", env: environment } as const;
  const [code] = await once(spawn("vitest", ["run", ...reporters, ...parameters], options), "close");
  const ran = code === 0;
  try {
    return { ran, ...report.parse(JSON.parse(readFileSync(file, "utf8"))) };
  } catch {
    return { ran, numPassedTests: 0, numFailedTests: 0, success: false, testResults: [] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function printSlowest({ testResults }: Report): void {
  const files = testResults.map(({ name, startTime, endTime }) => ({ name, took: endTime - startTime }));
  const lines = files
    .toSorted((left, right) => right.took - left.took)
    .slice(0, slowest)
    .map(({ name, took }) => `${(took / 1000).toFixed(1).padStart(6)} s  ${relative(process.cwd(), name)}\n`);
  process.stdout.write(`\nSlowest files\n${lines.join("")}`);
}

/** Names what failed once more, as a long difference can push it out of sight. A file can fail as a whole. */
function printFailed({ testResults }: Report): void {
  const lines = testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === "failed").map((one) => one.fullName);
    const titles = failed.length === 0 && status === "failed" ? ["the file itself"] : failed;
    return titles.map((title) => `  ${relative(process.cwd(), name)}: ${title}\n`);
  });
  if (lines.length > 0) process.stdout.write(`\nFailed tests\n${lines.join("")}`);
}

/**
 * What the functions were allowed and no test needed. Only a run of all tests can tell, so others are not
 * judged.
 */
function checkPermissions(folder: string, isWhole: boolean): readonly Checked[] {
  if (!isWhole) return [];
  const faults = judgePermissions(folder);
  return [
    { title: "Permissions", said: faults.map((fault) => `${fault}\n`).join(""), passed: faults.length === 0 },
  ];
}

const given = process.argv.slice(2);
const long = given.includes("--long");
const wanted = given.filter((parameter) => parameter !== "--long");
const kept = mkdtempSync(join(tmpdir(), "test-permissions-"));
// The tests wait for each other now and then; the checks use that time.
const [result, ...linted] = await Promise.all([
  runTests(wanted, {
    ...process.env,
    [permissionsVariable]: kept,
    ...(long && { TEST_LONG: "yes" }),
  }),
  // Each checker checks shared types anew: two take a third more of the processors, which the tests need.
  check("Types", "tsc", "--noEmit", "--checkers", "1"),
  check("Types of scripts for browsers", "tsc", "--noEmit", "-p", "tsconfig.browser.json"),
  check("Lint", "biome", "ci", "."),
  ...(long ? [check("Histories", process.execPath, "test/history/main.ts", "--minutes", "0.5")] : []),
]);
const checks = [...linted, ...checkPermissions(kept, wanted.length === 0)];
rmSync(kept, { recursive: true });
for (const { title, said } of checks) process.stdout.write(`\n${title}\n${said}`);
printSlowest(result);
printFailed(result);

const { numPassedTests, numFailedTests, success, ran } = result;
const failedChecks = checks.filter(({ passed }) => !passed).length;
// A run can fail without a failed test: a file that does not load, an error outside of any test.
const failed = numFailedTests + failedChecks + (numFailedTests === 0 && !(ran && success) ? 1 : 0);
process.stdout.write(`\n${numPassedTests + checks.length - failedChecks} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
