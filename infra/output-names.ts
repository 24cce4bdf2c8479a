/** The names of the stacks' outputs, by which the operator's commands find tables and queues. */

/**
 * The output with the value of a variable such as `TABLE_ORDERS`. Output names may hold only letters and
 * digits.
 */
export const outputOf = (variable: string): string => variable.replaceAll("_", "");

/**
 * The output with the name of a diagnostic function, by the function's key such as
 * `diagnostics/probe-permissions`.
 */
export const diagnosticOutput = (key: string): string =>
  `FUNCTION${key.replaceAll(/[^a-z]/g, "").toUpperCase()}`;

/** The prefix of a dead-letter queue's output, followed by the name of the queue's output. */
export const deadLetterPrefix = "DEADLETTER";
