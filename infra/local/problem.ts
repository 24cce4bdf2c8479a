/**
 * An error that the user can fix: a missing Java, a taken port, a template that this runtime does not
 * understand.
 *
 * The message is one line that says what to do. No stack trace is needed beside it.
 */
export class LocalProblem extends Error {
  override readonly name = "LocalProblem";
}
