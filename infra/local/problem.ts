/**
 * Something its reader can mend: a missing Java, a taken port, a template this runtime does not understand.
 *
 * The message is one line that says what to do; `npm start` prints it without a stack trace.
 */
export class Problem extends Error {
  override readonly name = "Problem";
}
