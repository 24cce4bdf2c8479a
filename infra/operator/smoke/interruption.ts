/** What is left to say if an operator or a pipeline interrupts a command. */

const signals = ["SIGINT", "SIGTERM"] as const;
type Signal = (typeof signals)[number];

/** The part of a process that signals are about. */
export interface Interruptible {
  readonly pid: number;
  on(signal: Signal, listener: (signal: Signal) => void): unknown;
  off(signal: Signal, listener: (signal: Signal) => void): unknown;
  kill(pid: number, signal: Signal): unknown;
}

/**
 * Does some work. If a signal interrupts it, this speaks its last words, and the process ends by that signal.
 */
export async function withLastWords<T>(
  lastWords: () => void,
  work: () => Promise<T>,
  self: Interruptible = process,
): Promise<T> {
  const stop = () => {
    for (const signal of signals) self.off(signal, interrupted);
  };
  const interrupted = (signal: Signal) => {
    stop();
    lastWords();
    self.kill(self.pid, signal);
  };
  for (const signal of signals) self.on(signal, interrupted);
  try {
    return await work();
  } finally {
    stop();
  }
}
