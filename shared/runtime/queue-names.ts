/**
 * A kind of job: the name that its worker states as `job`. The kind names its queue and the variable that
 * holds the queue's address. The catalog of functions rejects a kind that can't name them (`kindPattern`),
 * that two workers declare, or that is sent and has no worker.
 */
export type JobKind = string;

/** Letters and digits, so that no two kinds make one name; few, so that a kind fits into every name. */
export const kindPattern = /^[a-z][a-z0-9]{0,29}$/;
