import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Problem } from "./local/index.ts";

const projectRoot = join(import.meta.dirname, "..");

/** Where Node keeps what it compiled, so that the next start is spared it; `npm ci` empties it. */
export const compileCache = join(projectRoot, "node_modules", ".cache", "compile");

/**
 * Bundles the functions and synthesizes the stacks, in a process of its own. CDK keeps a processor busy for seconds,
 * and DynamoDB can start meanwhile. The memory of CDK is given back at the end.
 *
 * @returns the folder of the cloud assembly
 */
export const synthesize = async (): Promise<string> => {
  const outdir = join(projectRoot, "cdk.out");
  const child = spawn(process.execPath, [join(projectRoot, "infra", "app.ts")], {
    cwd: projectRoot,
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      NODE_COMPILE_CACHE: compileCache,
      // CloudFormation's rules take two thirds of the time. What is deployed is checked: by `cdk synth`, and in the tests.
      CDK_VALIDATION: "false",
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
  if (code !== 0) throw new Problem(`The stacks could not be synthesized:\n${said.trim()}`);
  return outdir;
};
