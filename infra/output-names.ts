/** The names of the stacks' outputs, by which the operator's commands find tables and queues. */

/**
 * The output with the value of a variable such as `TABLE_ORDERS`. Names of outputs may hold only letters and
 * digits.
 */
export const outputOf = (variable: string): string => variable.replaceAll("_", "");

/**
 * The output that holds the name of a diagnostic function, by the function's key such as
 * `diagnostics/probe-permissions`.
 */
export const diagnosticOutput = (key: string): string =>
  `FUNCTION${key.replaceAll(/[^a-z]/g, "").toUpperCase()}`;

/** How the name of a dead-letter queue's output begins; it goes on as that of its queue. */
export const deadLetterPrefix = "DEADLETTER";
