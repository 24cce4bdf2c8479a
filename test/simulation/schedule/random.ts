/** Random choices that a seed repeats exactly. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
  }

  /** A number from 0 up to but not including 1 (mulberry32). */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  /** A whole number from 0 up to but not including `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** Whether something happens that has this probability. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws if there is nothing to choose from */
  of<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  }

  /** One of the choices, by their weights. */
  weighted<T>(choices: readonly T[], weightOf: (choice: T) => number): T {
    const total = choices.reduce((sum, choice) => sum + weightOf(choice), 0);
    let left = this.next() * total;
    for (const choice of choices) {
      left -= weightOf(choice);
      if (left < 0) return choice;
    }
    return this.of(choices);
  }

  readonly bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, () => this.below(256)));

  readonly uuid = (): `${string}-${string}-${string}-${string}-${string}` => {
    const hex = this.bytes(16).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}
