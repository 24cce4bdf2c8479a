/** Questions and progress. They use the error output. */

import type { Readable, Writable } from "node:stream";
import { confirm, isCancel } from "@clack/prompts";
import { invalid } from "../../../shared/common/problem.ts";
import { Interrupted, Usage } from "./outcome.ts";

export interface Terminal {
  readonly stdin: Readable;
  readonly stderr: Writable;
  /** Whether a person can read the error output and answer. */
  readonly isInteractive: boolean;
}

/**
 * Asks for confirmation.
 * @throws Problem if the answer is no; Interrupted if there is none; Usage if there is no terminal
 */
export async function confirmed(question: string, { stdin, stderr, isInteractive }: Terminal): Promise<void> {
  if (!isInteractive) throw new Usage(`${question} Run it in a terminal, or add --yes.`);
  const message = `${question} Continue?`;
  const answer = await confirm({ message, initialValue: false, input: stdin, output: stderr });
  if (isCancel(answer)) throw new Interrupted("Nothing was done.");
  if (!answer) throw invalid("Nothing was done.");
}

/** Begins a line of a terminal anew, over the progress that it shows. */
const overLine = "\r\u001B[2K";

/** Shows a line, above the progress. */
export const noteTo =
  ({ stderr, isInteractive }: Terminal) =>
  (line: string): void =>
    void stderr.write(`${isInteractive ? overLine : ""}${line}\n`);

/** Milliseconds between two states of progress: in a terminal, which shows one line, and elsewhere. */
const interval = { terminal: 200, elsewhere: 10_000 };

export type Meter = ReturnType<typeof meter>;

/** Shows how far a command is: in one line of a terminal, or a line every ten seconds without one. */
export function meter(
  { stderr, isInteractive }: Terminal,
  title: string,
  of?: number,
  clock: () => number = () => performance.now(),
) {
  const began = clock();
  let shown = began;
  let counted = began;
  let count = 0;
  // Until the last count: a command may do more afterwards, which the rate leaves out.
  const state = () => `${title}: ${progressLine(count, of, counted - began)}`;
  const end = () => {
    if (isInteractive) stderr.write(`${overLine}${state()}\n`);
  };
  return {
    state,
    advance: (by = 1) => {
      count += by;
      counted = clock();
      // What the command says next stands below it.
      if (count === of) return end();
      if (counted - shown < (isInteractive ? interval.terminal : interval.elsewhere)) return;
      shown = counted;
      stderr.write(isInteractive ? `${overLine}${state()}` : `${state()}\n`);
    },
    /** Shows the last state, unless all is counted: then it is shown already. */
    stop: () => {
      if (count !== of) end();
    },
  };
}

/** `1200 of 100000, 310 a second, 5 min 19 s left`. */
function progressLine(count: number, of: number | undefined, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? (count * 1000) / elapsedMs : 0;
  const parts = [of === undefined ? String(count) : `${count} of ${of}`];
  if (rate > 0) parts.push(`${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second`);
  if (rate > 0 && of !== undefined && of > count) parts.push(`${duration((of - count) / rate)} left`);
  return parts.join(", ");
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
