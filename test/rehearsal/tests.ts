/** Integration tests against a deployment in the emulator: what they find differs between the local runtime and AWS's imitation. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { projectRoot } from "../../infra/outputs.ts";
import { type Rehearsed, rehearsedVariable } from "../support/rehearsed.ts";
import { bundlesHere, synthesizeHere } from "./assembly.ts";
import { cdk, deploy } from "./commands.ts";
import { awsAccount, type Emulator, region } from "./emulator.ts";
import { type Gateway, openGateway } from "./gateway.ts";
import { apiIdOf, queuesOf, tablesOf } from "./stacks.ts";
import type { Steps } from "./steps.ts";

/** Files whose tests share a service need nothing of the local runtime itself: no faults, no pauses, no look at its calls. */
const sharing = (): readonly string[] =>
  globSync("test/integration/**/*.test.ts", { cwd: projectRoot })
    .filter((file) => readFileSync(join(projectRoot, file), "utf8").includes("sharedService("))
    .toSorted();

/** Tests that fail because the emulator differs from AWS, as far as AWS documents it. */
const knownDifferences: readonly { readonly test: string; readonly why: string }[] = [
  {
    test: "OPTIONS /apirest/v4/oms/orders",
    why: "The emulator answers OPTIONS itself. An HTTP API without CORS passes it to the route $default.",
  },
];

const report = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) }),
  ),
});

/** Runs these files against a deployment. @returns the full titles of the tests that failed */
async function failedTests(deployment: Rehearsed, files: readonly string[], file: string) {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  // One worker, since all of them would number their accounts alike.
  const words = ["run", "--project", "integration", "--maxWorkers", "1", ...reporters, ...files];
  const env = { ...process.env, [rehearsedVariable]: JSON.stringify(deployment) };
  await once(spawn("vitest", words, { cwd: projectRoot, stdio: "inherit", env }), "close");
  const { testResults } = report.parse(JSON.parse(readFileSync(file, "utf8")));
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0) throw new Error("no test was run");
  return results.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
}

/** Runs the tests of these files, or of all that can be. */
export async function runTests(
  { step }: Steps,
  emulator: Emulator,
  scratch: string,
  files: readonly string[],
): Promise<void> {
  let gateway: Gateway | undefined;
  await step("deploys all stacks", async () => {
    // These tests store what no publisher can read, and look at no events.
    const { folder } = synthesizeHere(scratch, await bundlesHere(scratch), { events: "off" });
    await cdk(emulator, "bootstrap", `aws://${awsAccount}/${region}`);
    await deploy(emulator, folder);
    gateway = await openGateway(emulator, await apiIdOf(emulator));
    return undefined;
  });
  await step("passes the integration tests that share a service", async () => {
    if (gateway === undefined) throw new Error("no gateway");
    const deployment: Rehearsed = {
      url: gateway.url,
      client: emulator.clientConfig,
      tables: await tablesOf(emulator),
      queues: [...(await queuesOf(emulator))],
    };
    const named = files.length > 0 ? files : sharing();
    const failed = await failedTests(deployment, named, join(scratch, "report.json"));
    const unexpected = failed.filter((title) => !knownDifferences.some(({ test }) => title.includes(test)));
    if (unexpected.length > 0) throw new Error(`these tests failed:\n${unexpected.join("\n")}`);
    return `${named.length} files`;
  });
  await gateway?.close();
}
