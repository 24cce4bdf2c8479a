/**
 * Commands as an operator types them: the CDK's, and those of `npm run operator`, in processes of their own.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../../infra/paths.ts";
import { awsAccount, type Emulator } from "./emulator/emulator.ts";

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class CommandFailed extends Error {
  readonly ended: Ended;

  constructor(command: string, ended: Ended) {
    super(`${command} ended with status ${ended.status}:\n${ended.stdout}\n${ended.stderr}`);
    this.ended = ended;
  }
}

async function run(file: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn(file, words, { cwd: projectRoot, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.stdout += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.stderr += chunk.toString("utf8");
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { status, ...said };
}

async function mustSucceed(title: string, running: Promise<Ended>): Promise<Ended> {
  const ended = await running;
  if (ended.status !== 0) throw new CommandFailed(title, ended);
  return ended;
}

const cdkFile = join(projectRoot, "node_modules", ".bin", "cdk");

/** Runs the CDK's command line. @throws CommandFailed */
export const cdk = ({ environment }: Emulator, ...words: readonly string[]): Promise<Ended> =>
  mustSucceed(`cdk ${words.join(" ")}`, run(cdkFile, [...words, "--ci"], environment));

/** `cdk bootstrap` of regions. Without an assembly, the CDK would synthesize this checkout before. */
export const bootstrap = (emulator: Emulator, assembly: string, ...regions: readonly string[]) =>
  cdk(emulator, "bootstrap", ...regions.map((one) => `aws://${awsAccount}/${one}`), "--app", assembly);

/** `cdk deploy` of some stacks, or of all. */
export const deploy = (emulator: Emulator, assembly: string, stacks: readonly string[] = ["--all"]) =>
  cdk(emulator, "deploy", ...stacks, "--app", assembly, "--require-approval", "never", "--concurrency", "4");

const operatorFile = join(projectRoot, "infra", "operator", "main.ts");

/** Runs a command of the operator's, whatever comes of it. */
export const operatorEnded = ({ environment }: Emulator, ...words: readonly string[]): Promise<Ended> =>
  run(process.execPath, [operatorFile, ...words], environment);

/** Runs a command of the operator's. @throws CommandFailed */
export const operator = (emulator: Emulator, ...words: readonly string[]): Promise<Ended> =>
  mustSucceed(`operator ${words.join(" ")}`, operatorEnded(emulator, ...words));

/** Runs commands of a shell, with AWS's command line. @throws CommandFailed */
export const shell = ({ environment, python }: Emulator, script: string): Promise<Ended> =>
  mustSucceed(script, run("bash", ["-euc", `aws() { "${python}" -m awscli "$@"; }\n${script}`], environment));

/** Runs `operator smoke`. @throws CommandFailed */
export const smoke = (
  { environment }: Emulator,
  masterKey: string,
  ...words: readonly string[]
): Promise<Ended> =>
  mustSucceed(
    "operator smoke",
    run(process.execPath, [operatorFile, "smoke", ...words], { ...environment, MASTER_KEY: masterKey }),
  );
