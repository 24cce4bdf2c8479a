/**
 * Registries: entries that operators set up and records refer to. An account has shipping methods, stores,
 * suppliers and package types; the warehouse has distribution centers, locations and bins, which all accounts
 * share.
 *
 * Registries are small, so they are read whole. Entries are found by code or name; an unknown reference is
 * rejected with a list of the existing entries (`readAccepted`, `registry.ts`). `manufacture/` holds
 * manufacture orders, which operators set up as well.
 */
import * as z from "zod/mini";
import { isPresent } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import type { Kinds } from "../store/access.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, only, padded } from "../store/dynamodb/keys.ts";
import { type FindItem, getItem, type Lookup, parsed, queryRange } from "../store/dynamodb/reads.ts";
import type { Accepted, Registered, Registry } from "./registry.ts";

export const storeEntry = z.object({ store_id: primitive.int, name: primitive.text });
export type Store = z.output<typeof storeEntry>;

export const shippingMethod = z.object({ code: primitive.text });
export const supplier = z.object({ name: primitive.text });
export const packageType = z.object({ code: primitive.text });

export const distributionCenter = z.object({
  distribution_center_id: primitive.int,
  code: primitive.text,
  name: primitive.text,
});
export type DistributionCenter = z.output<typeof distributionCenter>;

/** The distribution center of products that name none (docs/decisions.md, Registries). */
export const defaultDistributionCenter = "MAIN";

/** A storage location for goods. `bin_id` is unique in the warehouse, and so are location names. */
export const bin = z.object({
  bin_id: primitive.int,
  location: primitive.text,
  bin: primitive.text,
  distribution_center_id: primitive.int,
  distribution_center: primitive.text,
});
export type Bin = z.output<typeof bin>;

export const location = z.object({
  location: primitive.text,
  distribution_center_id: primitive.int,
  distribution_center: primitive.text,
  bins: z.array(z.pick(bin, { bin_id: true, bin: true })),
});
export type Location = z.output<typeof location>;

/** The item kinds of each registry. `bins` are found by name; `allBins` are for listing. */
const kinds = {
  shippingMethods: "shipping-method#",
  stores: "store#",
  storeNames: "store-name#",
  suppliers: "supplier#",
  packageTypes: "package-type#",
  distributionCenters: "distribution-center",
  bins: "location#",
  allBins: "bins",
} as const;

export const registryReadAccess = (
  ...registries: readonly (keyof typeof kinds)[]
): { readonly identity: Kinds } => ({
  identity: Object.fromEntries(registries.map((name) => [kinds[name], "read"])),
});

const entry = (pk: string, sk: string): Lookup => ({ table: "identity", key: { pk, sk } });

/** All entries of a partition, in the order of their keys. */
const entriesOf = async <T>(db: Database, pk: string, schema: z.ZodMiniType<T>): Promise<readonly T[]> =>
  (await queryRange(db, { table: "identity", pk })).map((item) => z.parse(schema, item));

/** A registry of each account, whose entries are found by the sort key. */
const ofAccounts = <T>(kind: string, schema: z.ZodMiniType<T>) => ({
  lookup: (accountId: number, key: string): Lookup => entry(joined(kind, accountId), key),
  all: (db: Database, accountId: number): Promise<readonly T[]> =>
    entriesOf(db, joined(kind, accountId), schema),
});

/** By code. */
export const shippingMethods = ofAccounts("shipping-method", shippingMethod);
/** By name. */
export const suppliers = ofAccounts("supplier", supplier);
/** By code. */
export const packageTypes = ofAccounts("package-type", packageType);
/** By rising id. */
export const stores = ofAccounts("store", storeEntry);
export const storeLookup = (accountId: number, storeId: number) => stores.lookup(accountId, padded(storeId));
export const storeNameLookup = (accountId: number, name: string) =>
  entry(joined("store-name", accountId), name);
const centers = "distribution-center";
export const distributionCenterLookup = (code: string) => entry(centers, code);
export const locationLookup = (location: string) => entry(joined("location", location), only);
export const binLookup = (location: string, name: string) =>
  entry(joined("location", location), joined("bin", name));
const allBins = "bins";
/** A bin's entry in the list of all bins. `binLookup` finds one, by items in many partitions. */
export const listedBinLookup = (location: string, name: string) => entry(allBins, joined(location, name));

/** The warehouse's locations with their bins, by name. All accounts share them. */
export async function locations(db: Database): Promise<readonly Location[]> {
  const bins = await entriesOf(db, allBins, bin);
  return [...Map.groupBy(bins, (one) => one.location)].flatMap(([name, within]) => {
    const [first] = within;
    if (first === undefined) return [];
    const { distribution_center_id, distribution_center } = first;
    const named = within.map(({ bin_id, bin: binName }) => ({ bin_id, bin: binName }));
    return [{ location: name, distribution_center_id, distribution_center, bins: named }];
  });
}

/** The warehouse's few distribution centers, by rising id. All accounts share them. */
export async function distributionCenters(db: Database): Promise<readonly DistributionCenter[]> {
  const all = await entriesOf(db, centers, distributionCenter);
  return all.toSorted((left, right) => left.distribution_center_id - right.distribution_center_id);
}

export const distributionCenterWithId = async (
  db: Database,
  id: number,
): Promise<DistributionCenter | undefined> =>
  (await distributionCenters(db)).find(({ distribution_center_id }) => distribution_center_id === id);

/** The distribution center with a code, by items that were read. */
export const distributionCenterIn = (find: FindItem, code: string): DistributionCenter | undefined =>
  parsed(distributionCenter, find(distributionCenterLookup(code)));

export const findDistributionCenter = async (
  db: Database,
  code: string,
): Promise<DistributionCenter | undefined> =>
  parsed(distributionCenter, await getItem(db, distributionCenterLookup(code)));

/** A reference of a call: a registry, and the value that names an entry. Absent values refer to nothing. */
export type Reference = readonly [registry: Registry, value: string | number | null | undefined];

const lookups: Readonly<Record<Registry, (accountId: number, value: string) => Lookup>> = {
  shipping_method: shippingMethods.lookup,
  store_id: (accountId, id) => storeLookup(accountId, Number(id)),
  store_name: storeNameLookup,
  supplier: suppliers.lookup,
  package_type: packageTypes.lookup,
  distribution_center: (_accountId, code) => distributionCenterLookup(code),
  location: (_accountId, name) => locationLookup(name),
};

const lookupOf = (accountId: number, registry: Registry, value: string | number): Lookup =>
  lookups[registry](accountId, String(value));

export const referenceLookups = (accountId: number, references: readonly Reference[]): readonly Lookup[] =>
  references.flatMap(([registry, value]) => (isPresent(value) ? [lookupOf(accountId, registry, value)] : []));

/** Which of these references are registered, by items that were read. One round trip if any is not. */
export async function readRegistered(
  db: Database,
  accountId: number,
  references: readonly Reference[],
  find: FindItem,
): Promise<Registered> {
  const has = (registry: Registry, value: string | number) =>
    find(lookupOf(accountId, registry, value)) !== undefined;
  const unknown = references.flatMap(([registry, value]) =>
    isPresent(value) && !has(registry, value) ? [registry] : [],
  );
  return { has, accepted: await readAccepted(db, accountId, unknown) };
}

type Read = (db: Database, accountId: number) => Promise<readonly string[]>;

const readers: Readonly<Record<Registry, Read>> = {
  shipping_method: async (db, accountId) =>
    (await shippingMethods.all(db, accountId)).map(({ code }) => code),
  store_id: async (db, accountId) =>
    (await stores.all(db, accountId)).map(({ store_id, name }) => `${store_id} (${name})`),
  store_name: async (db, accountId) => (await stores.all(db, accountId)).map(({ name }) => name).sort(),
  supplier: async (db, accountId) => (await suppliers.all(db, accountId)).map(({ name }) => name),
  package_type: async (db, accountId) => (await packageTypes.all(db, accountId)).map(({ code }) => code),
  distribution_center: async (db) => (await distributionCenters(db)).map(({ code }) => code).sort(),
  location: async (db) => (await locations(db)).map(({ location }) => location),
};

/** The entries of registries with unknown references, for messages. No round trip if all are known. */
export async function readAccepted(
  db: Database,
  accountId: number,
  unknown: readonly Registry[],
): Promise<Accepted> {
  const read = await Promise.all(
    [...new Set(unknown)].map(
      async (registry) => [registry, await readers[registry](db, accountId)] as const,
    ),
  );
  const values = new Map(read);
  return (registry) => values.get(registry) ?? [];
}
