/** The operator's command line, as tests use it: in this process, on the tables of a service. */
import { PassThrough, Readable, Writable } from "node:stream";
import { Command } from "commander";
import type { Connection, Variables } from "../../../infra/operator/cli/connection.ts";
import type { Shell } from "../../../infra/operator/cli/run.ts";
import { addCommands } from "../../../infra/operator/commands/index.ts";
import { operate } from "../../../infra/operator/operate.ts";
import { connect, type Database } from "../../../shared/store/dynamodb/database.ts";
import { tableNames, tableSchemas } from "../../../shared/store/tables.ts";
import { hurried } from "../runtime/hurried.ts";

/** What a command printed, and how its process would end. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  /** Without the line that names what is changed. */
  readonly stderr: string;
  /** That line. */
  readonly changes: string | undefined;
}

/** How a command is run: with variables of the shell, or `typed` keys, as at a terminal. */
interface Circumstances {
  readonly variables?: Variables;
  readonly typed?: string;
  readonly interruption?: AbortSignal;
}

/**
 * Carries a command out on the tables of a database, or without one on what its own options name. Its waits
 * are short.
 */
export async function runOperator(
  words: readonly string[],
  db?: Database,
  { variables = {}, typed, interruption }: Circumstances = {},
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
  const shell: Shell = {
    variables,
    stdin: typed === undefined ? Readable.from([]) : terminal,
    stdout: into("stdout"),
    stderr: into("stderr"),
    isInteractive: typed !== undefined,
    ...(db !== undefined && { connection: connectionOf(db) }),
    ...(interruption && { interruption }),
  };
  const status = await hurried(() => operate(words, shell));
  const [changes] = /^This changes .*\n/m.exec(printed.stderr) ?? [];
  const stderr = changes === undefined ? printed.stderr : printed.stderr.replace(changes, "");
  return { status, stdout: printed.stdout, stderr, changes };
}

/** All commands by their names, such as `accounts create`. */
export function allCommands(): ReadonlyMap<string, Command> {
  const program = new Command();
  addCommands(program, () => Promise.resolve());
  return new Map(
    program.commands.flatMap((command): readonly (readonly [string, Command])[] =>
      command.commands.length === 0
        ? [[command.name(), command]]
        : command.commands.map((one) => [`${command.name()} ${one.name()}`, one]),
    ),
  );
}

const noQueues = async (): Promise<never> => {
  throw new Error("the database of a test has no queues");
};

const connectionOf = (db: Database): Connection => ({
  db,
  queues: noQueues,
  target: { at: "local", url: "http://127.0.0.1:1" },
});

/** A connection to tables that can't be reached. The check of their layout is skipped. */
const names = tableNames.map((name) => [tableSchemas[name].variable, name] as const);
const unreachable = connect(Object.fromEntries(names), {
  region: "us-east-1",
  endpoint: "http://127.0.0.1:1",
  credentials: { accessKeyId: "none", secretAccessKey: "none" },
  maxAttempts: 1,
});

export const nowhere: Database = {
  ...unreachable,
  layouts: { ...unreachable.layouts, check: async () => undefined },
};
