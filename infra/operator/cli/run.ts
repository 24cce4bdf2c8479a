/** Runs a parsed command: connects, asks, logs the change, and prints the answer. */

import { randomUUID } from "node:crypto";
import type { Writable } from "node:stream";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { dryRunOf } from "../../../shared/store/dynamodb/dry-run.ts";
import { logChange } from "../audit.ts";
import type { Called, Changes } from "./command.ts";
import { type Connection, connectionTo, expectReadable, type Variables, type Where } from "./connection.ts";
import type { CommandContext } from "./context.ts";
import { identify } from "./identity.ts";
import { unlessInterrupted, untilInterrupted } from "./interruption.ts";
import { messageOf, outcomeOf } from "./outcome.ts";
import type { CommandResult } from "./result.ts";
import { confirmed, type Meter, meter, noteTo, type Terminal } from "./terminal.ts";

/** The shell that a command runs in: its variables and streams. */
export interface Shell extends Terminal {
  readonly variables: Variables;
  readonly stdout: Writable;
  /** Aborts as the operator interrupts the command, such as by Ctrl-C. */
  readonly interruption?: AbortSignal;
  /** For tests. */
  readonly connection?: Connection;
}

export interface Common extends Where {
  readonly json?: true;
  readonly yes?: true;
}

/** @throws what the command throws; Interrupted, with what is done so far */
export async function runCommand<V>(called: Called<V>, common: Common, shell: Shell): Promise<CommandResult> {
  const { spec, values } = called;
  const { variables, interruption = new AbortController().signal } = shell;
  const needsTables = spec.needsNoTables !== true;
  const connection = shell.connection ?? (await connectionTo(common, variables, needsTables));
  if (needsTables) await expectReadable(connection.db);
  const changes = spec.changes?.if?.(values) === false ? undefined : spec.changes;
  const { dryRun } = called;
  const soFar: (() => string)[] = [];
  const meters: Meter[] = [];
  const db = { ...connection.db, requestId: `operator-${randomUUID()}` };
  const working = untilInterrupted(db, interruption);
  const note = noteTo(shell);
  const context: CommandContext = {
    ...connection,
    db: dryRun ? dryRunOf(working) : working,
    variables,
    dryRun,
    interruption,
    // What fails because of the interruption is no news.
    note: (line) => (interruption.aborted ? undefined : note(line)),
    progress: (title, of) => {
      const shown = meter(shell, title, of);
      soFar.push(shown.state);
      meters.push(shown);
      return shown.advance;
    },
    ifInterrupted: (words) => void soFar.push(words),
  };
  const toItsEnd = () =>
    spec.run(context, values).finally(() => {
      for (const { stop } of meters) stop();
    });
  const work = {
    context,
    log: db,
    run: () => unlessInterrupted(toItsEnd(), interruption, soFar),
    show: (answer: CommandResult) => print(answer, common.json === true, shell.stdout),
  };
  if (changes !== undefined) return runChange(called, changes, work, common.yes === true, shell);
  const answer = await work.run();
  work.show(answer);
  return answer;
}

interface Work {
  readonly context: CommandContext;
  /** Where the change is logged, also if it is interrupted. */
  readonly log: Database;
  readonly run: () => Promise<CommandResult>;
  readonly show: (answer: CommandResult) => void;
}

/**
 * Carries out a change: asks before it, and logs it. A dry run does neither. The answer is shown before the
 * log's entry is completed, because what may fail then must not lose a secret that is given once.
 */
async function runChange<V>(
  { name, values }: Called<V>,
  { warning, isReversible, logged = (all) => all, record }: Changes<V>,
  { context, log, run, show }: Work,
  isConfirmed: boolean,
  shell: Shell,
): Promise<CommandResult> {
  const { who, where } = await identify(context);
  const { note, dryRun } = context;
  if (dryRun) {
    note(`Dry run: nothing is stored in ${where}.`);
    const answer = withoutSecrets(await run());
    show(answer);
    return answer;
  }
  const warned = warning?.(values);
  const ending = isReversible === true ? "" : " This can't be undone.";
  if (warned !== undefined && !isConfirmed) {
    // Nobody is asked about what does not exist.
    if (shell.isInteractive) await record?.(context, values);
    await confirmed(`${warned} This changes ${where}.${ending}`, shell);
  }
  note(`This changes ${where}.`);
  const complete = await logChange(log, { by: who, where, command: name, values: plain(logged(values)) });
  let before: unknown;
  let answer: CommandResult;
  try {
    before = await record?.(context, values);
    answer = await run();
  } catch (error) {
    await complete({ outcome: outcomeOf(error), before }).catch(() => undefined);
    throw error;
  }
  show(answer);
  try {
    const after = await record?.(context, values);
    await complete({ outcome: answer.ends ?? "done", result: answer.text, before, after });
  } catch (error) {
    note(`The change is made, but its entry in the log of changes is not complete: ${messageOf(error)}`);
  }
  return answer;
}

/** The answer of a dry run. Its secrets are nobody's. */
const withoutSecrets = ({ secrets: _, data, ...answer }: CommandResult): CommandResult => ({
  ...answer,
  data: Array.isArray(data) ? data : { dry_run: true, ...Object(data) },
});

/** Values as JSON has them. */
const plain = (values: unknown): unknown => JSON.parse(JSON.stringify(values));

function print({ data, text, secrets }: CommandResult, isJson: boolean, stdout: Writable): void {
  const whole = secrets === undefined ? data : { ...Object(data), ...secrets.data };
  const lines = secrets === undefined ? text : `${text}\n${secrets.text}`;
  stdout.write(`${isJson ? JSON.stringify(whole, null, 2) : lines}\n`);
}
