import { builtinEnvironments, type Environment } from "vitest/runtime";

declare global {
  /** What the files of this worker share, and how it ends. */
  var endOfWorker: (() => Promise<void>)[];
}

/**
 * Node as vitest sets it up, with an end: what is in `endOfWorker` is called when the worker has run its last
 * file. vitest's own hooks end with each file.
 */
const worker: Environment = {
  name: "worker",
  viteEnvironment: "ssr",
  async setup(global, options) {
    const node = await builtinEnvironments.node.setup(global, options);
    globalThis.endOfWorker = [];
    return {
      async teardown() {
        await Promise.all(globalThis.endOfWorker.map((end) => end()));
        await node.teardown(global);
      },
    };
  },
};

export default worker;
