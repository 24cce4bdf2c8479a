/** A function's instance that the bench started: a process of its own. See `instance.mjs`. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Events to be answered one after another, so many times over. */
export interface Ask {
  readonly events: readonly object[];
  readonly times: number;
}

/** The processor time that loading the bundle took, in microseconds. */
export interface Loaded {
  readonly loading: number;
}

/** The processor time that all answers took, in microseconds, and the last answer. */
export interface Done {
  readonly answering: number;
  readonly answer: unknown;
}

export interface Instance {
  readonly loading: number;
  ask(events: readonly object[], times?: number): Promise<Done>;
  stop(): Promise<void>;
}

const program = join(import.meta.dirname, "instance.mjs");

/** Waits for the next message of a process. @throws where the process ends before */
async function told<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const death = once(child, "exit", { signal: ended.signal }).then(([code]) => {
    throw new Error(`an instance ended with ${code}`);
  });
  death.catch(() => undefined);
  try {
    const [message] = await Promise.race([once(child, "message", { signal: ended.signal }), death]);
    return message;
  } finally {
    ended.abort();
  }
}

/** Starts an instance of the bundle in `file`. Its log goes nowhere. */
export async function startInstance(file: string, env: Record<string, string>): Promise<Instance> {
  const child = fork(program, [file], { env, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const { loading } = await told<Loaded>(child);
  return {
    loading,
    ask: async (events, times = 1) => {
      child.send({ events, times } satisfies Ask);
      return told<Done>(child);
    },
    stop: async () => {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
