/**
 * Milliseconds of a clock that never goes back. Only differences between them say something. Node's `performance.now` would have
 * each function that starts load a dozen modules for measurements that nobody makes.
 */
export const clock = (): number => process.uptime() * 1000;
