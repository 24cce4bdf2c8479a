import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { FunctionDefinition } from "../assembly/functions.ts";
import type { Caller } from "../proxy/proxied-request.ts";
import type { Logs } from "./logs.ts";
import { type Failure, type Invocation, type Outcome, outcomeSchema, type Start } from "./messages.ts";

/** Thrown if a function did not answer: it threw, timed out, its instance died, or the runtime stops. */
export class FunctionFailure extends Error {
  readonly reason: "error" | "timeout" | "crash" | "stop";
  readonly failure: Failure;

  constructor(reason: FunctionFailure["reason"], failure: Failure) {
    super(`${failure.errorType}: ${failure.errorMessage}`);
    this.reason = reason;
    this.failure = failure;
  }
}

/** The options that the instances of all functions share. */
export interface InstanceOptions {
  readonly logs: Logs;
  /** The folder of Node's compile cache. */
  readonly compileCache?: string | undefined;
}

const script = new URL("./worker.mjs", import.meta.url);

/**
 * One running copy of a function, in a thread of its own. It has its own module state and environment, and
 * works on one event at a time, as in Lambda.
 */
export class Instance implements Caller {
  readonly definition: FunctionDefinition;
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  #running: PromiseWithResolvers<string> | undefined;
  #invocation: string | undefined;
  #ended: FunctionFailure | undefined;
  isLoading = true;
  /** When the instance last finished an event, or was created, in milliseconds since 1970. */
  lastUsed = Date.now();

  constructor(
    definition: FunctionDefinition,
    environment: Readonly<Record<string, string>>,
    { logs, compileCache }: InstanceOptions,
  ) {
    this.definition = definition;
    this.#ready.promise.catch(() => undefined);
    this.#worker = new Worker(script, {
      workerData: startOf(definition, compileCache),
      env: { ...environment },
      stdout: true,
      stderr: true,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
      name: definition.name,
    });
    logs.follow(definition.name, "stdout", this.#worker.stdout);
    logs.follow(definition.name, "stderr", this.#worker.stderr);
    this.#worker.on("message", (message: unknown) => this.#receive(outcomeSchema.parse(message)));
    this.#worker.on("error", (error) => this.#end(crash(String(error))));
    this.#worker.on("exit", () => this.#end(crash("the instance ended")));
  }

  /** Resolves when the function is loaded. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get alive(): boolean {
    return this.#ended === undefined;
  }

  get requestId(): string | undefined {
    return this.#invocation;
  }

  /** Ends the instance immediately, regardless of what it is doing. */
  kill(): void {
    this.#end(crash("the instance was killed"));
  }

  /** Resolves when its thread has ended. */
  async stop(): Promise<void> {
    this.#end(exited("stop", "the runtime stops"));
    await this.#worker.terminate();
  }

  /** @returns the answer as JSON */
  async invoke(requestId: string, event: string): Promise<string> {
    this.#invocation = requestId;
    const limit = this.definition.timeoutSeconds * 1000;
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.#ready.promise;
      timer = setTimeout(() => this.#end(timedOut(this.definition)), limit);
      if (this.#ended !== undefined) throw this.#ended;
      this.#running = Promise.withResolvers<string>();
      const invocation: Invocation = { requestId, event, deadline: Date.now() + limit };
      this.#worker.postMessage(invocation);
      return await this.#running.promise;
    } finally {
      clearTimeout(timer);
      this.#running = undefined;
      this.#invocation = undefined;
      this.lastUsed = Date.now();
    }
  }

  #receive(outcome: Outcome): void {
    if (outcome.type === "ready") {
      this.isLoading = false;
      this.#ready.resolve();
    } else if (outcome.type === "success") this.#running?.resolve(outcome.payload);
    else this.#fail(new FunctionFailure("error", outcome.failure));
  }

  /** An instance survives an error of its function, unless the function cannot be loaded. */
  #fail(failure: FunctionFailure): void {
    if (this.#running !== undefined) this.#running.reject(failure);
    else this.#end(failure);
  }

  #end(failure: FunctionFailure): void {
    if (this.#ended !== undefined) return;
    this.#ended = failure;
    this.#ready.reject(failure);
    this.#running?.reject(failure);
    void this.#worker.terminate();
  }
}

const startOf = (definition: FunctionDefinition, compileCache: string | undefined): Start => {
  const dot = definition.handler.lastIndexOf(".");
  return {
    file: join(definition.folder, `${definition.handler.slice(0, dot)}.mjs`),
    exportName: definition.handler.slice(dot + 1),
    functionName: definition.functionName,
    functionArn: definition.arn,
    memoryMegabytes: definition.memoryMegabytes,
    logGroupName: definition.logGroup,
    compileCache,
  };
};

const exited = (reason: "crash" | "stop", why: string): FunctionFailure =>
  new FunctionFailure(reason, { errorType: "Runtime.ExitError", errorMessage: `Runtime exited: ${why}` });

const crash = (why: string): FunctionFailure => exited("crash", why);

const timedOut = ({ timeoutSeconds }: FunctionDefinition): FunctionFailure =>
  new FunctionFailure("timeout", {
    errorType: "Sandbox.Timedout",
    errorMessage: `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
  });
