/**
 * `npm run interop`: tries the documents and the clients with the tools that integrators use: Spectral,
 * Postman's newman, and Python with mypy. The pages' samples in Python run, too. Needs Python 3.11 with venv,
 * and the registries of npm and PyPI. Ends with `N passed, M failed`.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Secret, TOTP } from "otpauth";
import * as z from "zod";
import { demoMasterKey, demoTotpSecret } from "../../infra/demo/registry.ts";
import { postmanCollection, writePostman } from "../../infra/documents/client/postman.ts";
import { writePythonClient } from "../../infra/documents/client/python.ts";
import { packageName } from "../../infra/documents/client/typescript.ts";
import { referenceOf } from "../../infra/documents/pages/model.ts";
import { samplesOf } from "../../infra/documents/pages/samples.ts";
import { projectRoot } from "../../infra/paths.ts";
import { newSteps } from "../rehearsal/steps.ts";

const spectral = "@stoplight/spectral-cli@6.16.3";
const newman = "newman@6.2.2";
const mypy = "mypy==2.4.1";

const run = promisify(execFile);
const npx = (tool: string, ...options: readonly string[]) =>
  run("npx", ["--yes", tool, ...options], { maxBuffer: 64 * 1024 * 1024 });

function expectSame(actual: unknown, expected: unknown): void {
  const [left, right] = [actual, expected].map((value) => JSON.stringify(value, undefined, 1));
  if (left !== right) throw new Error(`got ${left}\nin place of ${right}`);
}

/** What `npm start` serves on a free port. */
async function startDemo(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  server.close();
  const options = ["infra/demo/main.ts", "--port", String(port)];
  const child = spawn(process.execPath, options, { cwd: projectRoot, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await new Promise<void>((ready, fail) => {
    createInterface({ input: child.stdout }).on("line", (line) => line.includes("Ctrl-C") && ready());
    child.on("exit", (code) => fail(new Error(`the service ended with ${code}`)));
  });
  const stop = async () => {
    child.kill("SIGINT");
    await ended;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

async function lintDocuments(folder: string): Promise<string> {
  await run(process.execPath, [join(projectRoot, "infra/documents/openapi/main.ts"), folder]);
  const rules = join(folder, "rules.yaml");
  writeFileSync(rules, 'extends: ["spectral:oas"]\n');
  const files = ["oms", "wms", "v2", "all"].map((name) => join(folder, `${name}.json`));
  const { stdout } = await npx(spectral, "lint", "--ruleset", rules, "--fail-severity", "hint", ...files);
  return stdout.trim();
}

/** Installs the wheel into an environment of its own, checks the types of the walk, and runs it. */
async function walkInPython(folder: string, url: string): Promise<void> {
  const wheel = await writePythonClient(folder);
  const environment = join(folder, "environment");
  await run("python3", ["-m", "venv", environment]);
  const python = (...options: readonly string[]) =>
    run(join(environment, "bin", "python"), ["-m", ...options]);
  await python("pip", "install", "--quiet", wheel, mypy);
  const walk = join(import.meta.dirname, "walk.py");
  await python("mypy", "--strict", "--cache-dir", join(folder, "mypy"), walk);
  const { stdout } = await run(join(environment, "bin", "python"), [walk, url]);
  expectSame(stdout.trim().split("\n"), [
    "pong",
    "product True",
    "order Pending True UTC",
    "stock [-2]",
    "list 1",
    "event order.created",
    "failure There is no correction with correction_id 999999",
    "path a path parameter can't hold / or ?; use a filter of the list to find the record",
  ]);
}

/** Calls whose samples name what only the answer to an earlier call would say. */
const unknownToSamples = [
  "Read one hold",
  "Send the event of a delivery once more",
  "End a hold and release its stock",
];

/** Runs the Python samples of the pages, in the environment of the walk. What removes things comes last. */
async function runSamples(folder: string, url: string): Promise<string> {
  const samples = referenceOf("all")
    .groups.flatMap(({ calls }) => calls)
    .filter(({ path }) => path !== undefined)
    .map((call) => ({ ...call, program: samplesOf(call).python }))
    // The mobile application's calls have no client.
    .filter(({ program }) => program.includes(packageName.replaceAll("-", "_")))
    .toSorted((left, right) => Number(left.method === "DELETE") - Number(right.method === "DELETE"))
    .map(({ summary, program, credentials }) => {
      const key = credentials.includes("userName") ? demoMasterKey : "demo-oms-key-100";
      return [summary, program, { account_id: 100, user_name: "manager", key }];
    });
  const file = join(folder, "samples.json");
  writeFileSync(file, JSON.stringify(samples));
  const python = join(folder, "environment", "bin", "python");
  const { stdout } = await run(python, [join(import.meta.dirname, "samples.py"), url, file]);
  expectSame(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.replace(/: 404 .*/, "")),
    unknownToSamples,
  );
  return `${samples.length} samples`;
}

const report = z.object({
  run: z.object({
    executions: z.array(
      z.object({ item: z.object({ name: z.string() }), response: z.optional(z.object({ code: z.int() })) }),
    ),
  }),
});

/** Calls whose examples name what only a receiver's answers or a job's outcome would have made. */
const unknownYet: ReadonlySet<string> = new Set(["Send the event of a delivery once more"]);

/** Runs every request of the collection, in its order, on the demo's data. */
async function runCollection(folder: string, url: string): Promise<string> {
  const collection = writePostman(folder);
  const folders = postmanCollection().item.map(({ name }) => name);
  const requests = async (names: readonly string[], variables: Readonly<Record<string, string>>) => {
    const file = join(folder, "report.json");
    const stated = Object.entries(variables).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]);
    const chosen = names.flatMap((name) => ["--folder", name]);
    const options = ["--delay-request", "200", "--reporters", "json", "--reporter-json-export", file];
    await npx(newman, "run", collection, ...stated, ...chosen, ...options);
    return report.parse(JSON.parse(readFileSync(file, "utf8"))).run.executions;
  };
  const byAccounts = await requests(
    folders.filter((name) => name !== "Mobile"),
    { base_url: url },
  );
  // A code of the authenticator is valid for half a minute.
  const code = TOTP.generate({ secret: Secret.fromBase32(demoTotpSecret) });
  const executions = [...byAccounts, ...(await requests(["Mobile"], { base_url: url, code }))];
  const failed = executions.filter(
    ({ item, response }) => response?.code !== 200 && !unknownYet.has(item.name),
  );
  expectSame(
    failed.map(({ item, response }) => `${item.name}: ${response?.code}`),
    [],
  );
  return `${executions.length} requests`;
}

const folder = mkdtempSync(join(tmpdir(), "interop-"));
const steps = newSteps((line) => process.stdout.write(`${line}\n`));
try {
  await steps.step("Spectral finds nothing in the OpenAPI documents", () => lintDocuments(folder));
  const demo = await steps.value("the demo starts", startDemo);
  if (demo !== undefined) {
    await steps.step("the Postman collection runs from its first to its last request", () =>
      runCollection(folder, demo.url),
    );
    await steps.step("the Python package installs, and its walk passes mypy and runs", async () => {
      await walkInPython(folder, demo.url);
      return undefined;
    });
    await demo.stop();
  }
  // The samples name the records of a demo that nothing has changed.
  const fresh = await steps.value("the demo starts anew", startDemo);
  if (fresh !== undefined) {
    await steps.step("the Python samples of the pages run", () => runSamples(folder, fresh.url));
    await fresh.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (!steps.end()) process.exitCode = 1;
