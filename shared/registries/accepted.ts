import type { Database } from "../store/dynamodb/database.ts";
import type { FindItem, Lookup } from "../store/dynamodb/reads.ts";
import type { Accepted, Registry } from "./registry.ts";
import {
  distributionCenterLookup,
  distributionCenters,
  locations,
  packageTypeLookup,
  packageTypes,
  shippingMethodLookup,
  shippingMethods,
  stores,
  supplierLookup,
  suppliers,
} from "./registry-repository.ts";

/** A reference to an entry of a registry, with its lookup. */
export interface Reference {
  readonly registry: Registry;
  readonly lookup: Lookup;
}

/** The references of a call to entries with these codes or names. Absent values make no references. */
export const referencesTo = {
  shippingMethod: (accountId: number, code: string): readonly Reference[] => [
    { registry: "shipping_method", lookup: shippingMethodLookup(accountId, code) },
  ],
  supplier: (accountId: number, name: string | null | undefined): readonly Reference[] =>
    name ? [{ registry: "supplier", lookup: supplierLookup(accountId, name) }] : [],
  packageType: (accountId: number, code: string | null | undefined): readonly Reference[] =>
    code ? [{ registry: "package_type", lookup: packageTypeLookup(accountId, code) }] : [],
  distributionCenter: (code: string | null | undefined): readonly Reference[] =>
    code ? [{ registry: "distribution_center", lookup: distributionCenterLookup(code) }] : [],
} as const;

/** The registries in which a referenced entry was not found. */
export const unknownIn = (references: readonly Reference[], find: FindItem): readonly Registry[] =>
  references.flatMap(({ registry, lookup }) => (find(lookup) === undefined ? [registry] : []));

type Read = (db: Database, accountId: number) => Promise<readonly string[]>;

const readers: Readonly<Record<Registry, Read>> = {
  shipping_method: async (db, accountId) => (await shippingMethods(db, accountId)).map(({ code }) => code),
  store_id: async (db, accountId) =>
    (await stores(db, accountId)).map(({ store_id, name }) => `${store_id} (${name})`),
  store_name: async (db, accountId) => (await stores(db, accountId)).map(({ name }) => name).sort(),
  supplier: async (db, accountId) => (await suppliers(db, accountId)).map(({ name }) => name),
  package_type: async (db, accountId) => (await packageTypes(db, accountId)).map(({ code }) => code),
  distribution_center: async (db) => (await distributionCenters(db)).map(({ code }) => code).sort(),
  location: async (db) => (await locations(db)).map(({ location }) => location),
};

/**
 * Reads the entries of the registries with unknown references, for error messages. One round trip; none if
 * all references are known.
 */
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
