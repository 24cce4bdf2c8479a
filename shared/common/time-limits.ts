/** How long functions run. The stacks set timeouts accordingly, and stored data rely on it. */

/** Seconds that a call may run. API Gateway gives up after 30; a function that stops earlier is logged. */
export const maxCallSeconds = 29;

/** Seconds that a worker may run. */
export const maxWorkerSeconds = 30;

/**
 * Milliseconds after which a call or a worker has certainly stopped, so that others may take over what it
 * holds: an `Idempotency-Key`, a saga, a webhook's lease.
 */
export const abandonedAfterMs = (maxWorkerSeconds + 5) * 1000;
