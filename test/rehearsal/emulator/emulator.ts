/**
 * ministack, an emulator of AWS that nobody here wrote: what it refuses, or does otherwise than
 * `infra/local`, is a finding. It runs in a virtual environment of its own with the versions of
 * `requirements.txt`, on loopback, and keeps everything in memory.
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expectFree } from "../../../infra/local/index.ts";
import { projectRoot } from "../../../infra/paths.ts";

export const region = "eu-west-1";
export const awsAccount = "000000000000";

export interface Emulator {
  readonly endpoint: string;
  readonly port: number;
  /** The Python that has AWS's command line. */
  readonly python: string;
  /** What the CDK, the operator's commands and SDK clients need in their environment to reach it. */
  readonly environment: NodeJS.ProcessEnv;
  readonly clientConfig: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  /** Its log, which holds the lines of the Lambda functions, too. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

const requirements = join(import.meta.dirname, "requirements.txt");

/** The virtual environment, made once for each version of `requirements.txt`. `npm ci` deletes it. */
function virtualEnvironment(): string {
  const digest = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 16);
  const folder = join(projectRoot, "node_modules", ".cache", `rehearsal-${digest}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  const run = (command: string, ...parameters: readonly string[]) =>
    execFileSync(command, parameters, { stdio: ["ignore", "ignore", "inherit"] });
  try {
    run("python3", "-m", "venv", unfinished);
    // By `python -m pip`, since the scripts of an environment name the folder that it was made in.
    run(
      join(unfinished, "bin", "python"),
      "-m",
      "pip",
      "install",
      "--quiet",
      "--no-deps",
      "-r",
      requirements,
    );
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error("The rehearsal needs Python 3.11 or newer with venv and pip (Debian: python3-venv).", {
      cause: error,
    });
  }
  renameSync(unfinished, folder);
  return folder;
}

/** How long the emulator may take to answer, in milliseconds. It takes some 3 s. */
const startTimeoutMs = 60_000;

export async function startEmulator(): Promise<Emulator> {
  const python = join(virtualEnvironment(), "bin", "python");
  const port = await expectFree(0);
  const folder = mkdtempSync(join(tmpdir(), "rehearsal-"));
  const logFile = join(folder, "emulator.log");
  const log = openSync(logFile, "w");
  const { PATH = "" } = process.env;
  const child = spawn(python, ["-m", "ministack"], {
    stdio: ["ignore", log, log],
    env: {
      // Functions run on the Node that runs this, which is the deployed version.
      PATH: `${dirname(process.execPath)}${delimiter}${PATH}`,
      HOME: folder,
      TMPDIR: folder,
      GATEWAY_PORT: String(port),
      BIND_HOST: "127.0.0.1",
      MINISTACK_REGION: region,
      MINISTACK_ACCOUNT_ID: awsAccount,
      IOT_MTLS_ENABLED: "0",
      // What a deployment should have; see docs/operators/first-deployment.md, Quotas.
      LAMBDA_ACCOUNT_CONCURRENCY: "1000",
    },
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: awsAccount, secretAccessKey: "rehearsal" };
  const emulator: Emulator = {
    endpoint,
    port,
    python,
    clientConfig: { endpoint, region, credentials },
    environment: {
      ...process.env,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      CDK_DEFAULT_REGION: region,
      CDK_DEFAULT_ACCOUNT: awsAccount,
      AWS_EC2_METADATA_DISABLED: "true",
    },
    log: () => readFileSync(logFile, "utf8"),
    stop: async () => {
      child.kill("SIGTERM");
      const killing = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await ended;
      clearTimeout(killing);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  try {
    await untilAnswering(endpoint, () => child.exitCode !== null);
  } catch (error) {
    const said = emulator.log();
    await emulator.stop();
    throw new Error(`The emulator did not start.\n${said}`, { cause: error });
  }
  return emulator;
}

async function untilAnswering(endpoint: string, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const answer = await fetch(`${endpoint}/_ministack/health`).catch(() => undefined);
    if (answer?.ok === true) return;
    if (hasEnded() || Date.now() > deadline) throw new Error("no answer");
    await sleep(200);
  }
}
