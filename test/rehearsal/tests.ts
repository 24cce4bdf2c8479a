/**
 * Integration tests against a deployment in the emulator: what they find differs between the local runtime
 * and AWS's imitation.
 */
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { projectRoot } from "../../infra/paths.ts";
import { type Rehearsed, rehearsedVariable } from "../support/runtime/rehearsed.ts";
import { bundlesHere, synthesizeHere } from "./assembly.ts";
import { bootstrap, deploy } from "./commands.ts";
import { type Emulator, region } from "./emulator/emulator.ts";
import { type Gateway, openGateway } from "./emulator/gateway.ts";
import { apiIdOf, queuesOf, tablesOf } from "./emulator/stacks.ts";
import type { Steps } from "./steps.ts";

/**
 * Files whose tests share a service need nothing of the local runtime itself: no faults, no pauses, no look
 * at its calls.
 */
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
  ...[
    "signing in to the documentation of the WMS opens page and document",
    "in a browser the WMS page refuses a wrong password",
  ].map((test) => ({
    test,
    why: "The emulator hands no cookies to functions. AWS does, in the field cookies.",
  })),
  ...[
    "signing in to the documentation of the WMS takes the form of an older browser",
    "the internal page and its document are 403 to all others, whatever they say of themselves: docs",
    "the internal page and its document are 403 to all others, whatever they say of themselves: openapi.json",
  ].map((test) => ({
    test,
    why: "The rehearsal's gateway calls the emulator, by another name and address.",
  })),
  ...[
    "reading an alias by a text with unusual characters",
    "a SKU in the path may hold any character but a slash and a question mark",
    "an order is found by a number or reference with unusual characters",
    "reading a product by a SKU with unusual characters: Ä&B=#%+",
    "creating serials takes any text as it is",
    "reading a synset by a name with unusual characters: Ä&B=#%+",
  ].map((test) => ({ test, why: "The emulator leaves %25 encoded in a path. AWS documents neither." })),
  {
    test: "reading a product by a SKU with unusual characters: A?B",
    why: "The emulator decodes %3F in a path. An HTTP API ends the path there.",
  },
];

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

const isFailed = ({ status }: { readonly status: string }): boolean => status === "failed";

/**
 * Runs these files against a deployment.
 * @returns the full titles of the tests that failed
 * @throws if anything else failed, such as an import or a hook, which leaves no failed test
 */
async function failedTests(deployment: Rehearsed, files: readonly string[], file: string) {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  // One worker, since all of them would number their accounts alike.
  // The emulator sometimes ends a worker in the middle of a batch. Its messages come again after 90 seconds.
  const patient = ["--testTimeout", "200000", "--hookTimeout", "200000"];
  const words = ["run", "--project", "integration", "--maxWorkers", "1", ...patient, ...reporters, ...files];
  const env = { ...process.env, [rehearsedVariable]: JSON.stringify(deployment) };
  const vitest = spawn("vitest", words, { cwd: projectRoot, stdio: "inherit", env });
  const status = await new Promise<number | null>((resolve, reject) => {
    vitest.on("error", reject);
    vitest.on("close", resolve);
  });
  const { testResults } = report.parse(JSON.parse(readFileSync(file, "utf8")));
  const broken = testResults.filter((one) => isFailed(one) && !one.assertionResults.some(isFailed));
  if (broken.length > 0)
    throw new Error(
      `these files failed, and none of their tests:\n${broken.map(({ name, message }) => `${name}: ${message}`).join("\n")}`,
    );
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0) throw new Error("no test was run");
  const failed = results.filter(isFailed).map(({ fullName }) => fullName);
  if (status !== 0 && failed.length === 0)
    throw new Error(`vitest ended with status ${status}, and no test failed`);
  return failed;
}

/** @throws if a test failed that is no known difference, or if a known one passed in a run of all tests */
function judge(failed: readonly string[], isWhole: boolean): void {
  const unexpected = failed.filter((title) => !knownDifferences.some(({ test }) => title.includes(test)));
  if (unexpected.length > 0) throw new Error(`these tests failed:\n${unexpected.join("\n")}`);
  const gone = knownDifferences.filter(({ test }) => !failed.some((title) => title.includes(test)));
  if (isWhole && gone.length > 0)
    throw new Error(
      `these tests pass by now: remove them from the known differences:\n${gone.map(({ test }) => test).join("\n")}`,
    );
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
    const { folder } = synthesizeHere(scratch, await bundlesHere(scratch), {
      events: "off",
      internalNetworks: "127.0.0.1/32",
    });
    await bootstrap(emulator, folder, region);
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
    judge(await failedTests(deployment, named, join(scratch, "report.json")), files.length === 0);
    return `${named.length} files`;
  });
  await gateway?.close();
}
