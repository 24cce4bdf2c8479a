/**
 * Milliseconds of a monotonic clock; only differences are meaningful. `performance.now` would load a dozen
 * modules in every starting function. The console, which imports `times.ts`, has no `process`.
 */
export const clock = (): number => process.uptime() * 1000;
