/**
 * Sums in which what belongs together cancels out. Records add what ought to be there, and items take away what is there.
 * Where both agree, all sums are 0, however many records there are and in whatever order they come.
 */
import { hash } from "node:crypto";

/** Texts that share a bucket are told apart by whoever reads them again. */
const buckets = 2 ** 20;

/** Multisets of texts, compared by 64 bits a bucket. They take 8 MB, however many texts there are. */
export class Fingerprints {
  readonly #sums = new Int32Array(2 * buckets);
  /** How many buckets are uneven. */
  #uneven = 0;

  /** Adds a text so many times, or takes it away where they are below 0. */
  count(text: string, by: number): void {
    const { bucket, low, high } = digestOf(text);
    if (this.#isUneven(bucket)) this.#uneven -= 1;
    this.#sums[2 * bucket] = (this.#sums[2 * bucket] ?? 0) + Math.imul(by, low);
    this.#sums[2 * bucket + 1] = (this.#sums[2 * bucket + 1] ?? 0) + Math.imul(by, high);
    if (this.#isUneven(bucket)) this.#uneven += 1;
  }

  /** Whether a text may lack, or be one too many. Others of its bucket may be meant. */
  isUneven(text: string): boolean {
    return this.#isUneven(digestOf(text).bucket);
  }

  #isUneven(bucket: number): boolean {
    return this.#sums[2 * bucket] !== 0 || this.#sums[2 * bucket + 1] !== 0;
  }

  /** Whether as much was taken away as was added. */
  get isEven(): boolean {
    return this.#uneven === 0;
  }
}

function digestOf(text: string) {
  const digest = hash("sha1", text, "buffer");
  return {
    bucket: digest.readUInt32LE(0) % buckets,
    low: digest.readInt32LE(4),
    high: digest.readInt32LE(8),
  };
}
