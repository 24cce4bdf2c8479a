/** The operator's command line: everything that the API has no call for. */

import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { usualDeployment } from "./cli/connection.ts";
import { type CommandOutcome, messageOf, outcomeOf, statuses } from "./cli/outcome.ts";
import type { CommandResult } from "./cli/result.ts";
import { type Common, runCommand, type Shell } from "./cli/run.ts";
import { addCommands } from "./commands/index.ts";

const about = [
  "Sets up accounts, users and registries, advances orders, imports data, and maintains the tables.",
  "A command works on a deployment, with the AWS credentials of this shell: it finds the tables by the outputs of the stack " +
    "NAME-data. With --local it works on what `npm start` runs.",
  "In examples, `operator` stands for `npm run operator --`.",
].join("\n\n");

/**
 * Carries out the command that these words are. Answers go to the output, everything else to the error
 * output; with `--json`, an error goes to the output, too, as JSON. It never throws.
 * @returns the status of the process: see `statuses`
 */
export async function operate(words: readonly string[], shell: Shell): Promise<number> {
  const { stdout, stderr } = shell;
  const isJson = words.includes("--json");
  let ended: CommandOutcome = "done";
  const program = programOf(shell, isJson, (answer) => {
    ended = answer.ends ?? "done";
  });
  try {
    await program.parseAsync([...words], { from: "user" });
    return statuses[ended];
  } catch (error) {
    const outcome = outcomeOf(error);
    const message = messageOf(error);
    if (isJson && outcome !== "done")
      stdout.write(
        `${JSON.stringify({ error: { outcome, status: statuses[outcome], message } }, null, 2)}\n`,
      );
    else if (!(error instanceof CommanderError)) stderr.write(`${message}\n`);
    return statuses[outcome];
  }
}

function programOf(shell: Shell, isJson: boolean, ended: (answer: CommandResult) => void): Command {
  const program = new Command("operator").description(about).version(packageJson.version, "--version");
  program
    .option("--json", "print the answer, or the error, as JSON; secrets that are shown once are in it")
    .option("-y, --yes", "do not ask, even before what can't be undone")
    .option("--local", "work on what `npm start` runs on this machine")
    .option("--port <number>", "with --local: the one that listens at this port, if several run")
    .option("--deployment <name>", `the deployment to work on (default: ${usualDeployment})`)
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError("See --help.");
  configure(program, shell, isJson);
  addCommands(program, async (called) => ended(await runCommand(called, program.opts<Common>(), shell)));
  return program;
}

/** Nothing of commander writes to the process or ends it. Errors as JSON are written by `operate`. */
const configure = (command: Command, { stdout, stderr }: Shell, isJson: boolean): Command =>
  command.exitOverride().configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void (isJson ? undefined : stderr.write(text)),
  });
