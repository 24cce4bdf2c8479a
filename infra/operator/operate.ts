/** The operator's command line: everything that the API has no call for. */

import type { Readable, Writable } from "node:stream";
import { Command, CommanderError } from "commander";
import { Problem } from "../../shared/common/problem.ts";
import type { Answer } from "./cli/answer.ts";
import type { Execute, Noun } from "./cli/command.ts";
import { Usage } from "./cli/command.ts";
import { type Connect, connectionTo, usualDeployment, type Variables } from "./cli/connection.ts";
import { bar, confirmed, type Terminal } from "./cli/terminal.ts";
import { nouns } from "./nouns/index.ts";

/** What a command runs in. */
export interface Surroundings {
  readonly variables: Variables;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether a person can read the error output and answer. */
  readonly isInteractive: boolean;
  /** For tests. */
  readonly connect?: Connect;
}

/** Options that every command takes. */
interface Common {
  readonly json?: true;
  readonly yes?: true;
  readonly local?: true;
  readonly port?: string;
  readonly deployment?: string;
}

const about = [
  "Sets up accounts, users and registries, moves orders on, brings data in, and keeps the tables.",
  "A command works on a deployment, with the AWS credentials of this shell: it finds the tables by the outputs of the stack " +
    "NAME-data. Variables such as TABLE_IDENTITY name other tables. With --local it works on what `npm start` runs.",
  "In examples, `operator` stands for `npm run operator --`.",
].join("\n\n");

/**
 * Carries out the command that these words are. Answers go to the output, everything else to the error
 * output. It never throws. @returns the status of the process: 0, or 1 where the command failed or found
 * something wrong
 */
export async function operate(words: readonly string[], surroundings: Surroundings): Promise<number> {
  let status = 0;
  const program = programOf(surroundings, (answer) => {
    status = answer.failed === true ? 1 : 0;
  });
  try {
    await program.parseAsync([...words], { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    const isMeant = error instanceof Usage || error instanceof Problem;
    surroundings.stderr.write(`${isMeant ? error.message : String(error)}\n`);
    return 1;
  }
}

function programOf(surroundings: Surroundings, ended: (answer: Answer) => void): Command {
  const program = new Command("operator").description(about);
  program
    .option("--json", "print the answer as JSON, for programs; secrets that are shown once are in it")
    .option("-y, --yes", "ask nothing, also before what can't be undone")
    .option("--local", "work on what `npm start` runs on this machine")
    .option("--port <number>", "with --local: the one that listens at this port, where several run")
    .option("--deployment <name>", `the deployment to work on; ${usualDeployment} without it`)
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError("See --help.");
  configure(program, surroundings);
  const execute = executeWith(program, surroundings, ended);
  for (const noun of nouns) attach(program, noun, surroundings, execute);
  return program;
}

/** Nothing of commander writes to the process or ends it. */
function configure(command: Command, { stdout, stderr }: Surroundings): Command {
  return command.exitOverride().configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
  });
}

function attach(
  program: Command,
  { name, summary, commands }: Noun,
  at: Surroundings,
  execute: Execute,
): void {
  const noun = configure(program.command(name).description(summary), at);
  noun.copyInheritedSettings(program);
  for (const one of commands) one(noun, execute);
}

const executeWith =
  (program: Command, surroundings: Surroundings, ended: (answer: Answer) => void): Execute =>
  async ({ tables, question, carryOut }) => {
    const { variables, stdout, stderr, connect } = surroundings;
    const { json, yes, local, port, deployment } = program.opts<Common>();
    const terminal: Terminal = surroundings;
    if (question !== undefined && yes !== true) await confirmed(question, terminal);
    const connection = await connectionTo({ local, port, deployment }, variables, tables, connect);
    const answer = await carryOut({
      ...connection,
      variables,
      note: (line) => void stderr.write(`${line}\n`),
      progress: (title, of) => bar(terminal, title, of),
    });
    stdout.write(`${json === true ? JSON.stringify(answer.data, null, 2) : answer.text}\n`);
    ended(answer);
  };
