import { randomUUID } from "node:crypto";
import type { RuntimeOptions } from "../api.ts";
import { type FunctionDefinition, findFunction } from "../assembly/functions.ts";
import { awsEnvironment } from "../aws-environment.ts";
import type { DataProxy } from "../proxy/server.ts";
import { Barrier } from "./barrier.ts";
import { FunctionFailure, Instance, type InstanceOptions } from "./instance.ts";
import { Pool } from "./pool.ts";

/** A function and its running instances. */
export interface DeployedFunction {
  readonly definition: FunctionDefinition;
  readonly pool: Pool;
  /** The folder of its code. */
  folder: string;
}

interface FleetOptions
  extends InstanceOptions,
    Pick<RuntimeOptions, "instancesPerFunction" | "liveInstances" | "environment" | "codeOf"> {
  /** Where functions find DynamoDB, SQS and Secrets Manager. */
  readonly endpoint: string;
  /** Is told the access key of each instance. */
  readonly proxy: Pick<DataProxy, "register">;
}

const defaultInstances = 4;

/** An instance costs up to 25 MB. With this many, the whole runtime stays below 800 MB. */
const defaultLiveInstances = 12;

/** All functions of the deployment. */
export class Fleet {
  readonly functions: readonly DeployedFunction[];
  readonly #options: FleetOptions;
  #started = 0;
  #barrier: Barrier | undefined;

  constructor(definitions: readonly FunctionDefinition[], options: FleetOptions) {
    this.#options = options;
    this.functions = definitions.map((definition) => {
      const deployed: DeployedFunction = {
        definition,
        pool: new Pool(
          defaultInstances,
          () => this.#start({ ...definition, folder: deployed.folder }),
          (instance) => instance.definition.folder !== deployed.folder,
        ),
        folder: definition.folder,
      };
      return deployed;
    });
    this.limit(options.instancesPerFunction);
  }

  /** Calls a function with an event of the API, held together with others if `meet` was called. */
  answer(deployed: DeployedFunction, event: unknown): Promise<string> {
    return this.invoke(deployed, event, this.#barrier?.join() === true ? this.#barrier : undefined);
  }

  /** Calls a function by any of its names. @returns the answer as JSON @throws {FunctionFailure} */
  async call(name: string, event: unknown): Promise<string> {
    return this.invoke(findFunction(this.functions, name), event);
  }

  /** @returns the answer as JSON @throws {FunctionFailure} */
  async invoke(deployed: DeployedFunction, event: unknown, barrier?: Barrier): Promise<string> {
    const { definition, pool } = deployed;
    const { codeOf } = this.#options;
    // Without newer code to look for, an event gets its instance, or its place in the queue, at once.
    const folder = codeOf === undefined ? undefined : await codeOf(definition.name);
    if (folder !== undefined && folder !== deployed.folder) {
      deployed.folder = folder;
      pool.endOutdated();
    }
    const requestId = randomUUID();
    const work = async (instance: Instance): Promise<string> => {
      if (barrier !== undefined) {
        // If it can't be loaded, `invoke` reports that.
        await instance.ready.catch(() => undefined);
        await barrier.arrive();
      }
      return instance.invoke(requestId, JSON.stringify(event));
    };
    try {
      return await pool.use(work, barrier !== undefined);
    } catch (error) {
      if (error instanceof FunctionFailure) this.#report(definition, requestId, error);
      throw error;
    }
  }

  /** The number of events that one function handles concurrently. */
  get instances(): number {
    return this.functions[0]?.pool.limit ?? defaultInstances;
  }

  /** Makes the next events of the API wait until each has a ready instance: see `Runtime`. */
  async meet(count: number): Promise<void> {
    this.#barrier?.giveUp();
    this.#barrier = new Barrier(Math.min(count, this.instances));
    await this.#barrier.met;
  }

  /** Sets how many events a function handles concurrently. Surplus instances end with `end`. */
  limit(instancesPerFunction = defaultInstances): void {
    for (const { pool } of this.functions) pool.limit = instancesPerFunction;
  }

  /**
   * Ends busy instances, idle ones beyond the limit, and all instances of functions that are to start cold.
   */
  end(cold: ReadonlySet<string>): void {
    this.#barrier?.giveUp();
    this.#barrier = undefined;
    for (const { definition, pool } of this.functions)
      if (cold.has(definition.name)) pool.endAll();
      else pool.endBusy();
  }

  async stop(): Promise<void> {
    this.#barrier?.giveUp();
    await Promise.all(this.functions.map(({ pool }) => pool.stop()));
  }

  #start(definition: FunctionDefinition): Instance {
    this.#makeRoom();
    this.#started += 1;
    const accessKeyId = `${definition.logicalId}x${this.#started}`;
    const environment = {
      ...this.#options.environment,
      ...definition.environment,
      ...this.#lambdaVariables(definition, accessKeyId),
    };
    const instance = new Instance(definition, environment, this.#options);
    this.#options.proxy.register(accessKeyId, instance);
    return instance;
  }

  /**
   * Ends the instances that have been idle longest, until there is room for one more. If too few are idle,
   * the fleet grows.
   */
  #makeRoom(): void {
    const pools = this.functions.map(({ pool }) => pool);
    const live = pools.reduce((sum, pool) => sum + pool.size, 0);
    const tooMany = Math.max(0, live + 1 - (this.#options.liveInstances ?? defaultLiveInstances));
    const idle = pools.flatMap((pool) => pool.idle.map((instance) => ({ pool, instance })));
    idle.sort((a, b) => a.instance.lastUsed - b.instance.lastUsed);
    for (const { pool, instance } of idle.slice(0, tooMany)) pool.remove(instance);
  }

  #lambdaVariables(definition: FunctionDefinition, accessKeyId: string): Record<string, string> {
    const { endpoint } = this.#options;
    return {
      AWS_REGION: awsEnvironment.region,
      AWS_DEFAULT_REGION: awsEnvironment.region,
      AWS_LAMBDA_FUNCTION_NAME: definition.functionName,
      AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMegabytes),
      AWS_LAMBDA_LOG_GROUP_NAME: definition.logGroup,
      AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
      AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ENDPOINT_URL_SQS: endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
      LAMBDA_TASK_ROOT: definition.folder,
      TZ: ":UTC",
      LANG: "en_US.UTF-8",
    };
  }

  /**
   * Lambda writes a line of its own when a function fails without logging that itself. What the runtime
   * cancels when it stops is not a failure.
   */
  #report(definition: FunctionDefinition, requestId: string, { reason, failure }: FunctionFailure): void {
    if (reason === "stop") return;
    const text = JSON.stringify({ level: "ERROR", message: "Invoke failed", requestId, ...failure });
    this.#options.logs.add({ function: definition.name, stream: "platform", text });
  }
}
