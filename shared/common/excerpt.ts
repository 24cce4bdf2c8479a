/**
 * The first characters of a text, for an answer that repeats what was sent. Half a character becomes U+FFFD, since some
 * readers of JSON refuse it, and with it the whole answer.
 */
export const beginningOf = (sent: string, longest: number): string => sent.slice(0, longest).toWellFormed();
