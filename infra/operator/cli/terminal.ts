/** Questions and progress bars. They use the error output, and only if it is a terminal. */

import type { Readable, Writable } from "node:stream";
import { confirm, isCancel, progress } from "@clack/prompts";
import { Usage } from "./command.ts";
import type { Progress } from "./session.ts";

/** The operator's terminal. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stderr: Writable;
  /** Whether a person can read the error output and answer. */
  readonly isInteractive: boolean;
}

/**
 * Asks for confirmation of an irreversible action.
 * @throws Usage if the answer is no, or if there is no terminal
 */
export async function confirmed(question: string, { stdin, stderr, isInteractive }: Terminal): Promise<void> {
  if (!isInteractive)
    throw new Usage(`${question} This can't be undone. Run it in a terminal, or add --yes.`);
  const message = `${question} This can't be undone.`;
  const answer = await confirm({ message, initialValue: false, input: stdin, output: stderr });
  if (isCancel(answer) || !answer) throw new Usage("Nothing was done.");
}

/** A progress bar; without a terminal nothing is shown. */
export function bar({ stderr, isInteractive }: Terminal, title: string, of?: number): Progress {
  if (!isInteractive) return { advance: () => undefined, stop: () => undefined };
  const shown = progress({ output: stderr, ...(of === undefined ? {} : { max: of }) });
  shown.start(title);
  let count = 0;
  return {
    advance: (by = 1) => {
      count += by;
      shown.advance(of === undefined ? 0 : by, `${title}: ${count}${of === undefined ? "" : ` of ${of}`}`);
    },
    stop: (line) => shown.stop(line),
  };
}
