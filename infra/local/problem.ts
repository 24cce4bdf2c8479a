/**
 * Something its reader can mend: a missing Java, a taken port, a template this runtime does not understand.
 *
 * The message is one line that says what to do, and needs no stack trace beside it.
 */
export class Problem extends Error {
  override readonly name = "Problem";
}
