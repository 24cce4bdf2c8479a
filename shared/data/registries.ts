/**
 * What operators set up and records refer to: an account's shipping methods, stores, suppliers and package types;
 * the warehouse's distribution centers, locations and bins.
 */
import * as z from "zod/mini";
import type { Database } from "../store/database.ts";
import { joined, only, padded } from "../store/keys.ts";
import { getItem, type Lookup, queryRange, type RawItem } from "../store/reads.ts";

export const store = z.object({ store_id: z.int(), name: z.string() });
export type Store = z.output<typeof store>;

export const distributionCenter = z.object({
  distribution_center_id: z.int(),
  code: z.string(),
  name: z.string(),
});
export type DistributionCenter = z.output<typeof distributionCenter>;

/** The distribution center of products that name none (docs/decisions.md, Registries). */
export const defaultDistributionCenter = "MAIN";

/** A place that can hold goods. `bin_id` is unique over the warehouse; a location name is too. */
export const bin = z.object({
  bin_id: z.int(),
  location: z.string(),
  bin: z.string(),
  distribution_center_id: z.int(),
  distribution_center: z.string(),
});
export type Bin = z.output<typeof bin>;

const entry = (pk: string, sk: string): Lookup => ({ table: "identity", key: { pk, sk } });

export const shippingMethodLookup = (accountId: number, code: string) =>
  entry(joined("shipping-method", accountId), code);
export const storeLookup = (accountId: number, storeId: number) =>
  entry(joined("store", accountId), padded(storeId));
export const storeNameLookup = (accountId: number, name: string) =>
  entry(joined("store-name", accountId), name);
export const supplierLookup = (accountId: number, name: string) => entry(joined("supplier", accountId), name);
export const packageTypeLookup = (accountId: number, code: string) =>
  entry(joined("package-type", accountId), code);
const centers = "distribution-center";
export const distributionCenterLookup = (code: string) => entry(centers, code);
export const locationLookup = (location: string) => entry(joined("location", location), only);
export const binLookup = (location: string, name: string) =>
  entry(joined("location", location), joined("bin", name));

/** Parses what a lookup found; undefined where it found nothing. */
export const parsed = <T>(schema: z.ZodMiniType<T>, item: RawItem | undefined): T | undefined =>
  item === undefined ? undefined : z.parse(schema, item);

/** The warehouse's distribution centers, by rising id: a handful, which all accounts share. */
export async function distributionCenters(db: Database): Promise<readonly DistributionCenter[]> {
  const items = await queryRange(db, { table: "identity", pk: centers });
  return items
    .map((item) => z.parse(distributionCenter, item))
    .sort((left, right) => left.distribution_center_id - right.distribution_center_id);
}

/** The distribution center with this id. */
export const distributionCenterWithId = async (
  db: Database,
  id: number,
): Promise<DistributionCenter | undefined> =>
  (await distributionCenters(db)).find(({ distribution_center_id }) => distribution_center_id === id);

/** The distribution center with this code. */
export const findDistributionCenter = async (
  db: Database,
  code: string,
): Promise<DistributionCenter | undefined> =>
  parsed(distributionCenter, await getItem(db, distributionCenterLookup(code)));
