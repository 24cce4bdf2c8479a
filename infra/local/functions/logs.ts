import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isObject, parseJson } from "../json.ts";

/** A line that a function, or the runtime on its behalf, wrote. */
export interface LogLine {
  readonly function: string;
  readonly stream: "stdout" | "stderr" | "platform";
  readonly text: string;
}

/**
 * Which lines are also printed: on standard error, after the function's name, or all on standard output, each
 * as a JSON object with a field `function`.
 */
export type Printing = "nothing" | "warnings" | "everything" | "json";

/** Enough lines to see what led to a failure. Older lines are dropped. */
const kept = 5000;

const loud: ReadonlySet<unknown> = new Set(["WARN", "ERROR", "CRITICAL", "FATAL"]);

/** The latest lines of all functions. */
export class Logs {
  #lines: LogLine[] = [];
  readonly #printing: Printing;

  constructor(printing: Printing) {
    this.#printing = printing;
  }

  all(): readonly LogLine[] {
    return [...this.#lines];
  }

  clear(): void {
    this.#lines = [];
  }

  add(line: LogLine): void {
    this.#lines.push(line);
    if (this.#lines.length > 2 * kept) this.#lines = this.#lines.slice(-kept);
    if (this.#printing === "json") process.stdout.write(`${asJson(line)}\n`);
    const printed = this.#printing === "everything" || (this.#printing === "warnings" && isLoud(line));
    if (printed) process.stderr.write(`${line.function}: ${line.text}\n`);
  }

  /** Keeps the lines that a function writes. */
  follow(name: string, stream: "stdout" | "stderr", source: Readable): void {
    createInterface({ input: source }).on("line", (text) => this.add({ function: name, stream, text }));
  }
}

/** A text that is not a JSON object becomes the message of one. */
const asJson = ({ function: name, stream, text }: LogLine): string => {
  const parsed = parseJson(text);
  return JSON.stringify({ function: name, ...(isObject(parsed) ? parsed : { stream, message: text }) });
};

/**
 * Functions log JSON with a level. A line on standard error without a level is a crash, or a warning of Node
 * itself.
 */
const isLoud = ({ text, stream }: LogLine): boolean => {
  const parsed = parseJson(text);
  return isObject(parsed) && "level" in parsed ? loud.has(parsed["level"]) : stream !== "stdout";
};
