/** The names of the stacks' outputs, by which the operator's commands find tables and queues. */

/** The output that tells what a variable such as `TABLE_ORDERS` holds. Names of outputs are letters and digits alone. */
export const outputOf = (variable: string): string => variable.replaceAll("_", "");

/** The output that holds the name of a diagnostic function, by the function's key such as `diagnostics/probe-permissions`. */
export const diagnosticOutput = (key: string): string =>
  `FUNCTION${key.replaceAll(/[^a-z]/g, "").toUpperCase()}`;

/** How the name of a dead-letter queue's output begins; it goes on as that of its queue. */
export const deadLetterPrefix = "DEADLETTER";
