/** Prints a notice if an operator or a pipeline interrupts a command. */

const signals = ["SIGINT", "SIGTERM"] as const;
type Signal = (typeof signals)[number];

/** The part of `process` that handles signals. */
export interface Interruptible {
  readonly pid: number;
  on(signal: Signal, listener: (signal: Signal) => void): unknown;
  off(signal: Signal, listener: (signal: Signal) => void): unknown;
  kill(pid: number, signal: Signal): unknown;
}

/** Runs `work`. A signal prints the notice, and then ends the process as it would without this function. */
export async function withInterruptNotice<T>(
  printNotice: () => void,
  work: () => Promise<T>,
  self: Interruptible = process,
): Promise<T> {
  const unsubscribe = () => {
    for (const signal of signals) self.off(signal, onSignal);
  };
  const onSignal = (signal: Signal) => {
    unsubscribe();
    printNotice();
    self.kill(self.pid, signal);
  };
  for (const signal of signals) self.on(signal, onSignal);
  try {
    return await work();
  } finally {
    unsubscribe();
  }
}
