/**
 * The name of a queue, which its worker states as `job`: a kind of job, or `webhook` for the wake-ups of
 * webhooks. The variable with the queue's address is named after it. The catalog of functions rejects a name
 * that does not match `queueNamePattern`, that two workers declare, or that is sent to and has no worker.
 */
export type QueueName = string;

/** Letters and digits, so that names of resources are unambiguous; few, so that they fit into every name. */
export const queueNamePattern = /^[a-z][a-z0-9]{0,29}$/;
