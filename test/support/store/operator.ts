/** The operator's command line, as tests use it: in this process, on the tables of a service. */
import { PassThrough, Readable, Writable } from "node:stream";
import type { Variables } from "../../../infra/operator/cli/connection.ts";
import { operate, type Surroundings } from "../../../infra/operator/operate.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";

/** What a command printed, and how its process would end. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Carries a command out on tables of these names, over a connection of its own without `db`. It may be told
 * `typed` keys, as at a terminal.
 */
export async function runOperator(
  words: readonly string[],
  variables: Variables,
  db?: Database,
  typed?: string,
): Promise<Ended> {
  const printed = { stdout: "", stderr: "" };
  const into = (name: keyof typeof printed) =>
    new Writable({
      write: (chunk, _encoding, done) => {
        printed[name] += String(chunk);
        done();
      },
    });
  const terminal = new PassThrough();
  if (typed !== undefined) terminal.write(typed);
  const surroundings: Surroundings = {
    variables,
    stdin: typed === undefined ? Readable.from([]) : terminal,
    stdout: into("stdout"),
    stderr: into("stderr"),
    isInteractive: typed !== undefined,
    ...(db !== undefined && { connect: () => db }),
  };
  const status = await operate(words, surroundings);
  return { status, ...printed };
}
