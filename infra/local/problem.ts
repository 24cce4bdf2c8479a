/**
 * An error that the user can fix: missing Java, a port in use, a template that this runtime does not
 * understand.
 *
 * The message is one line that says what to do, so no stack trace is needed.
 */
export class LocalProblem extends Error {
  override readonly name = "LocalProblem";
}
