/** The names of the stacks' outputs, by which the operator's commands find tables and queues. */

/** The output that tells what a variable such as `TABLE_ORDERS` holds. Names of outputs are letters and digits alone. */
export const outputOf = (variable: string): string => variable.replaceAll("_", "");

/** How the name of a dead-letter queue's output begins; it goes on as that of its queue. */
export const deadLetterPrefix = "DEADLETTER";
