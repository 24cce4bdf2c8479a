/**
 * `npm run rehearse`: deploys all stacks by the CDK's own command line into an emulator of AWS that nobody
 * here wrote, works with them as clients and operators do, upgrades them under traffic, goes back, and
 * destroys them. Ends with `N passed, M failed`.
 *
 * `-- --from-here` upgrades this checkout to itself, if the history lacks the last release. `-- --tests
 * [FILE…]` runs the integration tests that share a service against the deployment instead.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmulator } from "./emulator/emulator.ts";
import { rehearse } from "./rehearse.ts";
import { newSteps } from "./steps.ts";
import { runTests } from "./tests.ts";

const { values, positionals } = parseArgs({
  options: {
    tests: { type: "boolean", default: false },
    log: { type: "string" },
    "from-here": { type: "boolean", default: false },
  },
  allowPositionals: true,
});

const steps = newSteps((line) => process.stdout.write(`${line}\n`));
const scratch = mkdtempSync(join(tmpdir(), "rehearsal-assemblies-"));
const emulator = await startEmulator();
try {
  if (values.tests) await runTests(steps, emulator, scratch, positionals);
  else await rehearse(steps, emulator, scratch, values["from-here"]);
} finally {
  if (values.log !== undefined) writeFileSync(values.log, emulator.log());
  await emulator.stop();
  rmSync(scratch, { recursive: true, force: true });
}
if (!steps.end()) process.exitCode = 1;
