/** What the comparator remembers of whole tables, in little memory. */
import { hash } from "node:crypto";

/** A second read tells texts of the same bucket apart. */
const buckets = 2 ** 20;

const bucketsPerPage = 2 ** 12;

/**
 * Sums by text, stored as 64 bits for each bucket of texts: at most 8 MB for any number of texts. If all sums
 * are 0, all buckets are. Pages are made as they are needed: 8 MB at once would take most of the time of a
 * verification of a small store, of which the simulator makes thousands.
 */
export class Fingerprints {
  readonly #pages = new Map<number, Int32Array>();
  #unevenBuckets = 0;

  /** Adds a number, which may be negative, to the sum of a text. */
  count(text: string, by: number): void {
    const { bucket, low, high } = digestOf(text);
    const page = Math.floor(bucket / bucketsPerPage);
    const sums = this.#pages.get(page) ?? new Int32Array(2 * bucketsPerPage);
    this.#pages.set(page, sums);
    if (this.#isUneven(bucket)) this.#unevenBuckets -= 1;
    const place = 2 * (bucket % bucketsPerPage);
    sums[place] = (sums[place] ?? 0) + Math.imul(by, low);
    sums[place + 1] = (sums[place + 1] ?? 0) + Math.imul(by, high);
    if (this.#isUneven(bucket)) this.#unevenBuckets += 1;
  }

  /** Whether the sum of a text may differ from 0. Another text of its bucket may be the reason. */
  isUneven(text: string): boolean {
    return this.#isUneven(digestOf(text).bucket);
  }

  #isUneven(bucket: number): boolean {
    const sums = this.#pages.get(Math.floor(bucket / bucketsPerPage));
    const place = 2 * (bucket % bucketsPerPage);
    return sums !== undefined && (sums[place] !== 0 || sums[place + 1] !== 0);
  }

  get isEven(): boolean {
    return this.#unevenBuckets === 0;
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

/** A record, by the name of its list or another kind of its own. */
export interface Id {
  readonly kind: string;
  readonly id: number;
}

const chunkSize = 1024;

/** Sets of ids: one bit for each id of the chunks that have any. */
export class IdSets {
  readonly #chunks = new Map<string, Uint8Array>();

  add({ kind, id }: Id): void {
    const name = chunkOf({ kind, id });
    const bits = this.#chunks.get(name) ?? new Uint8Array(chunkSize / 8);
    this.#chunks.set(name, bits);
    const position = id % chunkSize;
    bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7));
  }

  has({ kind, id }: Id): boolean {
    const position = id % chunkSize;
    const byte = this.#chunks.get(chunkOf({ kind, id }))?.[position >> 3] ?? 0;
    return ((byte >> (position & 7)) & 1) === 1;
  }

  without(others: IdSets): IdSets {
    const rest = new IdSets();
    for (const [name, bits] of this.#chunks) {
      const taken = others.#chunks.get(name);
      const left = bits.map((byte, at) => byte & ~(taken?.[at] ?? 0));
      if (left.some((byte) => byte !== 0)) rest.#chunks.set(name, left);
    }
    return rest;
  }

  get isEmpty(): boolean {
    return this.#chunks.size === 0;
  }
}

const chunkOf = ({ kind, id }: Id): string => `${kind} ${Math.floor(id / chunkSize)}`;
