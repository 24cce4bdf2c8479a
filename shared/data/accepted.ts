import type { Accepted, Registry } from "../domain/registered.ts";
import type { Database } from "../store/database.ts";
import {
  distributionCenters,
  locations,
  packageTypes,
  shippingMethods,
  stores,
  suppliers,
} from "./registries.ts";

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
 * What the registries hold in which a call named something unknown. One round trip; none where the call named nothing
 * unknown.
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
