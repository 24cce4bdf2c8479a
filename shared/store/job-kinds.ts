/**
 * A kind of job: what its worker states as `job`. Its queue, its records and the variable that holds the queue's
 * address are named after it; the catalog of functions refuses one that can't name them (`kindPattern`), that two
 * workers state, or that is sent and has no worker.
 */
export type JobKind = string;

/** Only letters and digits, so that no two kinds come to one name; short, so that it fits into every other. */
export const kindPattern = /^[a-z][a-z0-9]{0,29}$/;
