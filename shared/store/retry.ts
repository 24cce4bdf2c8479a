import { setTimeout as sleep } from "node:timers/promises";

/** Longest pause between two attempts, in milliseconds. */
const longestPause = 1_000;

/**
 * Waits between two attempts; `attempt`, from 1, numbers one of them. The pause is random, up to a bound that doubles with each attempt (full
 * jitter). So writers that collided once do not collide again in step.
 */
export async function backOff(attempt: number): Promise<void> {
  await sleep(Math.random() * Math.min(longestPause, 10 * 2 ** attempt));
}
