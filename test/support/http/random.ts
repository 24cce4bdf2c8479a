/** Repeatable random numbers in [0, 1): a failure can be run again by its seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number from `least` to `most`, both inclusive. */
export const whole = (random: () => number, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

/** One of the elements. */
export function pick<T>(random: () => number, elements: readonly T[]): T {
  const chosen = elements[Math.floor(random() * elements.length)];
  if (chosen === undefined) throw new Error("there is nothing to pick from");
  return chosen;
}

/** How many random operations a test runs: few by default, many with `npm run test:long`. */
export const operations = (few: number, many: number): number => (process.env["TEST_LONG"] ? many : few);
