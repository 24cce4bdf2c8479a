/**
 * The names of an account's products and synsets. A name is one item, whichever of both it names: so no two of them
 * can ever have one name, and an order's line finds what it names in one read.
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { invalidAt } from "../common/problem.ts";
import { joined, only } from "../store/dynamodb/keys.ts";
import type { Lookup, RawItem } from "../store/dynamodb/reads.ts";
import { type Change, type Insert, stale } from "../store/dynamodb/writes.ts";
import { type NameOwner, takenName } from "./names.ts";
import { synset } from "./synsets/synset.ts";

export const nameLookup = (accountId: number, name: string): Lookup => ({
  table: "inventory",
  key: { pk: joined("name", accountId, name), sk: only },
});

const sku = z.object({
  product_id: primitive.int,
  sku: primitive.text,
  distribution_center_id: primitive.int,
});

/** What a SKU of an account stands for, and the distribution center that its orders are reserved in. */
export type SkuEntry = z.output<typeof sku>;

const kit = z.object({ synset_id: primitive.int, items: synset.shape.items });

/** What a kit's name stands for: the kit's id and, so that orders need not read the kit, its components. */
export type SynsetEntry = z.output<typeof kit>;

/** Gives a name to a new product or synset, refused where something has it; `path` is where the request states the name. */
export const insertName = (
  accountId: number,
  name: string,
  meaning: SkuEntry | SynsetEntry,
  path: string,
): Insert => {
  const { table, key } = nameLookup(accountId, name);
  const rejection = () => invalidAt([takenName(name, path)]);
  return { kind: "insert", table, item: { ...key, ...meaning }, rejection };
};

/** Changes what a name tells of its record. The record's version vouches for it, since they only ever change together. */
export const changeName = (accountId: number, name: string, set: NonNullable<Change["set"]>): Change => ({
  kind: "change",
  ...nameLookup(accountId, name),
  set,
  when: [{ attribute: "pk", is: "present" }],
  rejection: stale,
});

/** The product that a name stands for, of what was looked up; undefined where the name is free or a synset's. */
export const skuIn = (found: RawItem | undefined): SkuEntry | undefined =>
  found?.["product_id"] === undefined ? undefined : z.parse(sku, found);

/** The synset that a name stands for, of what was looked up; undefined where the name is free or a SKU. */
export const synsetIn = (found: RawItem | undefined): SynsetEntry | undefined =>
  found?.["synset_id"] === undefined ? undefined : z.parse(kit, found);

/** Who has the name that was looked up; undefined where it is free. */
export function ownerOf(found: RawItem | undefined): NameOwner | undefined {
  if (skuIn(found) !== undefined) return "product";
  return synsetIn(found) === undefined ? undefined : "synset";
}
