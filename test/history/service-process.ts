/** The local runtime in a process of its own, which is killed and started again on the same data. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expectFree } from "../../infra/local/index.ts";
import { projectRoot } from "../../infra/paths.ts";

/** What dies first: everything at once, or DynamoDB Local a moment before the rest. */
export type Kill = "process" | "database";

export class ServiceProcess {
  readonly port: number;
  readonly #assembly: string;
  readonly #dataDir: string;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #up = Promise.withResolvers<void>();

  private constructor(port: number, assembly: string, dataDir: string) {
    this.port = port;
    this.#assembly = assembly;
    this.#dataDir = dataDir;
    this.#log = createWriteStream(join(dataDir, "service.log"));
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  static async start(assembly: string, dataDir: string): Promise<ServiceProcess> {
    const service = new ServiceProcess(await expectFree(0), assembly, dataDir);
    await service.start();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves when the service runs. */
  get whenUp(): Promise<void> {
    return this.#up.promise;
  }

  /** Whether the service runs and nothing of it is being killed. */
  isUp = false;

  /** @throws Error if the service does not start */
  async start(): Promise<void> {
    const options = ["--port", String(this.port), "--data-dir", this.#dataDir, "--assembly", this.#assembly];
    const child = spawn(process.execPath, [join(projectRoot, "infra/demo/main.ts"), ...options], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    child.stderr.pipe(this.#log, { end: false });
    const ended = once(child, "exit").then(() => {
      throw new Error(`the service ended: see ${this.#log.path}`);
    });
    const lines = createInterface({ input: child.stdout });
    const running = new Promise<void>((resolve) => {
      lines.on("line", (line) => {
        if (line.startsWith("The service runs at")) resolve();
      });
    });
    ended.catch(() => undefined);
    await Promise.race([running, ended]);
    this.isUp = true;
    this.#up.resolve();
  }

  /** Ends every process of the service by SIGKILL. Resolves when all are gone. */
  async kill(first: Kill = "process"): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    if (this.isUp) this.#up = Promise.withResolvers<void>();
    this.isUp = false;
    const below = descendantsOf(child.pid);
    const database = below.at(-1);
    if (first === "database" && database !== undefined) {
      process.kill(database, "SIGKILL");
      await sleep(500);
    }
    const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    child.kill("SIGKILL");
    await ended;
    while (below.some(isAlive)) await sleep(20);
  }
}

/** The processes that a process has started, and those that they have started. */
function descendantsOf(pid: number): readonly number[] {
  const children = processes().flatMap(([child, parent]) => (parent === pid ? [child] : []));
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** All processes of this machine, with their parents. */
const processes = (): readonly (readonly [number, number])[] =>
  execFileSync("ps", ["-e", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => {
      const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
      return [pid, parent] as const;
    });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
