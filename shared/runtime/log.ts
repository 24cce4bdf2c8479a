/** A Lambda instance's log: JSON lines on standard output, which Lambda hands to CloudWatch. */
import type { Context } from "aws-lambda";
import { deploymentVariable } from "./shared-names.ts";

/** The fields of a line besides its message. No body, header or query string belongs here. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The levels that Lambda knows, rising. The service itself uses `INFO`, `WARN` and `ERROR`. */
const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"];

type Variables = Readonly<Record<string, string | undefined>>;

let output: NodeJS.WritableStream = process.stdout;

/** Directs all lines elsewhere, for a command whose result is on standard output. */
export const writeLinesTo = (stream: NodeJS.WritableStream): void => {
  output = stream;
};

/** Writes one line for CloudWatch: of the log, or of metrics. */
export const writeLine = (line: string): void => void output.write(`${line}\n`);

/** Writes lines from the configured level up. Each has the fields of the current event. */
export class Log {
  readonly #variables: Variables;
  readonly #write: (line: string) => void;
  readonly #least: number;
  #isCold = true;
  #event: LogFields = {};

  /**
   * @param variables the lowest level in `LOG_LEVEL`, or in `AWS_LAMBDA_LOG_LEVEL`, which Lambda's own
   * setting makes, and the deployment's name. Without a level, every line is written
   */
  constructor(variables: Variables = process.env, write = writeLine) {
    const level = variables["LOG_LEVEL"] ?? variables["AWS_LAMBDA_LOG_LEVEL"] ?? "";
    this.#least = levels.indexOf(level.toUpperCase());
    this.#variables = variables;
    this.#write = write;
  }

  /** Resets the fields for an event: few, since CloudWatch charges by the byte. */
  begin({ functionName, awsRequestId }: Context): void {
    const trace = this.#variables["_X_AMZN_TRACE_ID"];
    this.#event = {
      cold_start: this.#isCold,
      function_name: functionName,
      function_request_id: awsRequestId,
      ...(trace && { xray_trace_id: /Root=([^;]+)/.exec(trace)?.[1] }),
    };
    this.#isCold = false;
  }

  /** Adds fields of the current event to all further lines. */
  note(fields: LogFields): void {
    this.#event = { ...this.#event, ...fields };
  }

  info(message: string, fields: LogFields = {}): void {
    this.#writeLevel("INFO", message, fields);
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#writeLevel("WARN", message, fields);
  }

  error(message: string, fields: LogFields = {}): void {
    this.#writeLevel("ERROR", message, fields);
  }

  #writeLevel(level: string, message: string, fields: LogFields): void {
    if (levels.indexOf(level) < this.#least) return;
    const said = { level, message, timestamp: new Date().toISOString() };
    const service = this.#variables[deploymentVariable];
    this.#write(asText({ ...said, service, ...this.#event, ...fields, ...said }));
  }
}

export const logger = new Log();

/** Logging must never fail. Values without a JSON form are converted, and repeated objects are left out. */
function asText(line: LogFields): string {
  const written = new Set<object>();
  return JSON.stringify(line, (_, value: unknown) => {
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (written.has(value)) return undefined;
    written.add(value);
    return value instanceof Error ? describeError(value) : value;
  });
}

const describeError = ({ name, message, stack, cause, ...others }: Error): LogFields => ({
  name,
  location: /\(?([^\s()]+:\d+):\d+\)?$/m.exec(stack ?? "")?.[1] ?? "",
  message,
  stack,
  ...(cause !== undefined && { cause }),
  ...others,
});
