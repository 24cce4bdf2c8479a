/**
 * The master key and the registries that records refer to, which an operator sets up. Each function
 * overwrites what has the same name already, so that a set-up can be run again.
 */

import { masterKeyLookup } from "../../../shared/accounts/account-repository.ts";
import { hashKey } from "../../../shared/auth/secrets.ts";
import { invalid } from "../../../shared/common/problem.ts";
import * as registries from "../../../shared/registries/registry-repository.ts";
import {
  type Bin,
  binLookup,
  type DistributionCenter,
  distributionCenterLookup,
  listedBinLookup,
  locationLookup,
  type Store,
  storeEntry,
  storeLookup,
  storeNameLookup,
} from "../../../shared/registries/registry-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import {
  type FindItem,
  getItems,
  type Lookup,
  parsed,
  type RawItem,
} from "../../../shared/store/dynamodb/reads.ts";
import { transact, transactionLimit, untilFresh } from "../../../shared/store/dynamodb/transact.ts";
import { type Change, type Condition, removalOf, type Write } from "../../../shared/store/dynamodb/writes.ts";

export const putMasterKey = (db: Database, key: string): Promise<void> =>
  transact(db, [setting(masterKeyLookup, { key_hash: hashKey(key), key_scope: "write" })]);

interface Entries {
  readonly shippingMethods?: readonly string[];
  readonly suppliers?: readonly string[];
  readonly packageTypes?: readonly string[];
  readonly stores?: readonly Store[];
}

/**
 * Stores these entries in one transaction: at most 100 writes, of which each store takes two. No two entries
 * have the same code, name or id. A store that had another name loses it.
 * @throws Problem `invalid` if another store of the account has the name of one of these
 */
export const putEntries = (
  db: Database,
  accountId: number,
  { shippingMethods = [], suppliers = [], packageTypes = [], stores = [] }: Entries,
): Promise<void> =>
  untilFresh(db, async () => {
    const find = await getItems(
      db,
      stores.flatMap((stored) => Object.values(lookupsOf(accountId, stored))),
    );
    await transact(db, [
      ...shippingMethods.map((code) => setting(registries.shippingMethods.lookup(accountId, code), { code })),
      ...suppliers.map((name) => setting(registries.suppliers.lookup(accountId, name), { name })),
      ...packageTypes.map((code) => setting(registries.packageTypes.lookup(accountId, code), { code })),
      ...stores.flatMap((stored) => storeWrites(accountId, stored, find)),
    ]);
  });

const setting = (lookup: Lookup, set: RawItem, when: readonly Condition[] = []): Change => ({
  kind: "change",
  ...lookup,
  set,
  when,
});

const lookupsOf = (accountId: number, { store_id, name }: Store) => ({
  id: storeLookup(accountId, store_id),
  name: storeNameLookup(accountId, name),
});

function storeWrites(accountId: number, stored: Store, find: FindItem): readonly Write[] {
  const { store_id, name } = stored;
  const lookups = lookupsOf(accountId, stored);
  const [before, named] = [parsed(storeEntry, find(lookups.id)), parsed(storeEntry, find(lookups.name))];
  if (named !== undefined && named.store_id !== store_id)
    throw invalid(`The store ${named.store_id} has the name ${name} already`);
  const asFound = (found: Store | undefined): readonly Condition[] => [
    found === undefined ? { attribute: "pk", is: "absent" } : { attribute: "name", equals: found.name },
  ];
  const isRenamed = before !== undefined && before.name !== name;
  const old = isRenamed ? [storeNameLookup(accountId, before.name)] : [];
  return [
    setting(lookups.id, { store_id, name }, asFound(before)),
    setting(lookups.name, { store_id, name }, asFound(named)),
    ...old.map((lookup) => removalOf(lookup)),
  ];
}

export const putDistributionCenters = (db: Database, centers: readonly DistributionCenter[]): Promise<void> =>
  transact(
    db,
    centers.map((center) => setting(distributionCenterLookup(center.code), center)),
  );

/** How many bins one transaction stores. */
export const maxBinsTogether = Math.floor(transactionLimit / 3);

/**
 * Stores bins, their locations and their places among all bins. Location names are unique over the warehouse.
 */
export async function putBins(db: Database, bins: readonly Bin[]): Promise<void> {
  const byLocation = new Map(bins.map((bin) => [bin.location, bin]));
  await transact(db, [
    ...[...byLocation.values()].map(({ location, distribution_center_id, distribution_center }) =>
      setting(locationLookup(location), { location, distribution_center_id, distribution_center }),
    ),
    ...bins.flatMap((bin) => [
      setting(binLookup(bin.location, bin.bin), bin),
      setting(listedBinLookup(bin.location, bin.bin), bin),
    ]),
  ]);
}
