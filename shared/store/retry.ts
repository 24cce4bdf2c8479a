import { setTimeout as sleep } from "node:timers/promises";

/** Longest pause between two attempts, in milliseconds. */
const longestPause = 1_000;

/**
 * Waits before attempt `attempt` (from 1): exponential with full jitter, so that writers which collided once
 * do not collide again in step.
 */
export async function backOff(attempt: number): Promise<void> {
  await sleep(Math.random() * Math.min(longestPause, 10 * 2 ** attempt));
}
