import { joined } from "./dynamodb/keys.ts";

/** Several partitions that take the writes of one kind of items or index entries in turn. */
export interface Partitions {
  /** The key of the partition of an item with this number, such as its id. */
  readonly of: (number: number) => string;
  /**
   * The keys of all, starting with that of the number `first`, so that runs that end early skip different
   * ones.
   */
  readonly all: (first?: number) => readonly string[];
}

/** A partition takes 1,000 writes a second. `count` is part of what is stored. */
export function partitionsOf(kind: string, count: number): Partitions {
  const of = (number: number): string => joined(kind, number % count);
  return { of, all: (first = 0) => Array.from({ length: count }, (_, next) => of(first + next)) };
}
