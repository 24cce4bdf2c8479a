import { Worker } from "node:worker_threads";
import { type Asked, type Reported, reported } from "./messages.ts";

/** A thread that runs schedules, with a fault in the product if one is named. */
export class Runner {
  readonly #worker: Worker;

  constructor(planted?: string) {
    this.#worker = new Worker(new URL("./thread.ts", import.meta.url), {
      workerData: { planted },
      // It loads the same files of packages, whatever conditions this process was started with.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 256 },
    });
  }

  ask(order: Asked): Promise<Reported> {
    return new Promise((settle, fail) => {
      this.#worker.removeAllListeners("error");
      this.#worker.once("error", fail);
      this.#worker.once("message", (message: unknown) => settle(reported.parse(message)));
      this.#worker.postMessage(order);
    });
  }

  end(): Promise<number> {
    return this.#worker.terminate();
  }
}
