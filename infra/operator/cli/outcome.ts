/** How a command ends: the status of its process, and the errors that stand for one. */
import { CommanderError } from "commander";
import { Problem } from "../../../shared/common/problem.ts";
import { isTemporary } from "../../../shared/store/dynamodb/temporary.ts";
import { reasonUnreadable } from "../../../shared/store/layouts/unreadable.ts";

/** Statuses of the process by what they mean. docs/operators/reference.md lists them. */
export const statuses = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  refused_rows: 4,
  findings: 5,
  interrupted: 130,
} as const;
export type CommandOutcome = keyof typeof statuses;

/** A command line that is invalid. The operator sees only its message. */
export class Usage extends Error {}

/** What the command works on can't be reached. The operator sees only its message. */
export class Unreachable extends Error {}

/** The operator interrupted the command, by Ctrl-C or by cancelling its question. */
export class Interrupted extends Error {}

/** Errors of the AWS SDK, and of Node, that mean that a service was not reached or the caller not known. */
const unreached =
  /^(CredentialsProviderError|TokenProviderError|TimeoutError|NetworkingError|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/;

const codeOf = (error: Error): string => ("code" in error ? String(error.code) : "");

/** What to do about a file that Node can't open, by the error's code. */
const fileProblems: ReadonlyMap<string, string> = new Map([
  ["EEXIST", "exists already, and is not overwritten: name another file, or move it away"],
  ["ENOENT", "can't be opened: there is no such file or folder"],
  ["EISDIR", "is a folder: name a file"],
  ["EACCES", "can't be opened: see its permissions"],
]);

/** What is wrong with a file that the command line names; undefined for every other error. */
export function fileProblemOf(error: unknown): string | undefined {
  if (!(error instanceof Error && "path" in error && "syscall" in error && error.syscall === "open"))
    return undefined;
  const problem = fileProblems.get(codeOf(error));
  // An archive is written to FILE.part first, which the operator did not name.
  return problem && `${String(error.path).replace(/\.part$/, "")} ${problem}`;
}

/** What an error means for the process. */
export function outcomeOf(error: unknown): CommandOutcome {
  if (error instanceof Interrupted) return "interrupted";
  if (error instanceof CommanderError) return error.exitCode === 0 ? "done" : "usage";
  if (error instanceof Usage || fileProblemOf(error) !== undefined) return "usage";
  if (error instanceof Unreachable || isTemporary(error)) return "unreachable";
  if (error instanceof Error && (unreached.test(error.name) || unreached.test(codeOf(error))))
    return "unreachable";
  return "failed";
}

/** The message of an error, without its class if it is meant for operators. */
export const messageOf = (error: unknown): string =>
  error instanceof Problem ||
  error instanceof Usage ||
  error instanceof Unreachable ||
  error instanceof Interrupted ||
  error instanceof CommanderError
    ? error.message
    : (fileProblemOf(error) ?? reasonUnreadable(error) ?? String(error));
