import { pick, randomFrom } from "../../support/http/random.ts";

/** Random choices that a seed repeats exactly. */
export class Random {
  /** A number from 0 up to but not including 1. */
  readonly next: () => number;

  constructor(seed: number) {
    // Seeds that follow one another would begin with similar numbers.
    this.next = randomFrom(seed ^ 0x9e3779b9);
  }

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
    return pick(this.next, choices);
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
    const word = () =>
      this.below(2 ** 32)
        .toString(16)
        .padStart(8, "0");
    const hex = word() + word() + word() + word();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}
