/** Every kind of job; each has a queue, a worker and records of its own. */
export const jobKinds = ["recount"] as const;

/** A kind of job, and of the queue that carries its messages. */
export type JobKind = (typeof jobKinds)[number];
