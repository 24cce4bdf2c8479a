import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { largestBlock } from "../../../../shared/store/lists/definitions.ts";

const positionIn = ({ sk }: Key): number => Number(sk) % largestBlock;

/** Records of block lists, by their keys: one bit for each id of their blocks. */
export class IdSet {
  readonly #blocks = new Map<string, Uint8Array>();

  add(key: Key): void {
    const bits = this.#blocks.get(key.pk) ?? new Uint8Array(Math.ceil(largestBlock / 8));
    this.#blocks.set(key.pk, bits);
    const position = positionIn(key);
    bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7));
  }

  has(key: Key): boolean {
    const position = positionIn(key);
    return (((this.#blocks.get(key.pk)?.[position >> 3] ?? 0) >> (position & 7)) & 1) === 1;
  }

  /** Those of these records that are not in `others`. */
  without(others: IdSet): IdSet {
    const rest = new IdSet();
    for (const [pk, bits] of this.#blocks) {
      const taken = others.#blocks.get(pk);
      const left = bits.map((byte, at) => byte & ~(taken?.[at] ?? 0));
      if (left.some((byte) => byte !== 0)) rest.#blocks.set(pk, left);
    }
    return rest;
  }

  get isEmpty(): boolean {
    return this.#blocks.size === 0;
  }
}
