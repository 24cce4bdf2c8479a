import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { digestOfSources } from "./bundle/sources.ts";
import { LocalProblem } from "./local/index.ts";
import { compileCache, defaultAssembly, defaultBundles, projectRoot, synthesizedMark } from "./paths.ts";
import { lastReleaseContext } from "./release/released.ts";
import { settingNames } from "./settings.ts";

/**
 * Bundles the functions and synthesizes the stacks, unless the sources have not changed since.
 * @returns the folder of the cloud assembly
 */
export const synthesize = async (): Promise<string> => {
  const digest = digestOfSources(projectRoot);
  if (isSynthesized(digest)) return defaultAssembly;
  await runApp();
  mkdirSync(dirname(synthesizedMark), { recursive: true });
  writeFileSync(synthesizedMark, digest);
  return defaultAssembly;
};

const isSynthesized = (digest: string): boolean =>
  [synthesizedMark, defaultBundles, join(defaultAssembly, "manifest.json")].every((path) =>
    existsSync(path),
  ) && readFileSync(synthesizedMark, "utf8") === digest;

/**
 * The settings of a service on this machine. An operator's settings in `cdk.json` are for AWS: here there is
 * no CloudFront, no restored table and no other region. Only this machine may see the internal page. No code
 * of the last release runs beside this one, so tests run with exactly the permissions that this code states.
 */
export const localContext: Readonly<Record<string, string>> = {
  ...Object.fromEntries(settingNames.map((name) => [name, ""])),
  internalNetworks: "127.0.0.1/32,::1/128",
  [lastReleaseContext]: "none",
};

/**
 * Runs the CDK's app in a process of its own. It uses a processor for seconds, in which DynamoDB can start,
 * and frees its memory at the end.
 */
const runApp = async (): Promise<void> => {
  const child = spawn(process.execPath, [join(projectRoot, "infra", "app.ts")], {
    cwd: projectRoot,
    env: {
      ...process.env,
      CDK_OUTDIR: defaultAssembly,
      CDK_CONTEXT_JSON: JSON.stringify(localContext),
      NODE_COMPILE_CACHE: compileCache,
      // CloudFormation's rules take two thirds of the time. `cdk synth` and the tests check what is deployed.
      CDK_VALIDATION: "false",
      // By default the bundler spends a fifth of its time on garbage collection, although it ends soon.
      GOGC: "400",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const endWithParent = (): void => void child.kill();
  process.once("exit", endWithParent);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  const [code] = await once(child, "close");
  process.off("exit", endWithParent);
  if (code !== 0) throw new LocalProblem(`The stacks could not be synthesized:\n${said.trim()}`);
};
