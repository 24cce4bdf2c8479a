/**
 * Accounts, keys and everything else that records refer to. An operator sets these up. Each function overwrites what
 * has the same name already, so that a set-up can be run again.
 */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { hashKey } from "../../shared/auth/secrets.ts";
import { type Account, accountLookup, masterKeyLookup } from "../../shared/data/accounts.ts";
import {
  type Bin,
  binLookup,
  type DistributionCenter,
  distributionCenterLookup,
  listedBinLookup,
  locationLookup,
  packageTypeLookup,
  parsed,
  type Store,
  shippingMethodLookup,
  store,
  storeLookup,
  storeNameLookup,
  supplierLookup,
} from "../../shared/data/registries.ts";
import { tieBucket } from "../../shared/data/request-buckets.ts";
import { invalid } from "../../shared/domain/problem.ts";
import type { Database } from "../../shared/store/database.ts";
import { getItems, type Lookup } from "../../shared/store/reads.ts";
import { transact, untilFresh } from "../../shared/store/transact.ts";
import { type Change, stale } from "../../shared/store/writes.ts";

async function put(db: Database, { table, key }: Lookup, fields: object): Promise<void> {
  await db.client.send(new PutCommand({ TableName: db.tableName(table), Item: { ...key, ...fields } }));
}

type Keyed<T extends { readonly key_hash: string }> = Omit<T, "key_hash"> & { readonly key: string };

/** Stores an account and the hash of its API key. A new key replaces the old one at once; a limit of requests stays. */
export const putAccount = (db: Database, { key, ...account }: Keyed<Account>): Promise<void> => {
  const key_hash = hashKey(key);
  const change = { kind: "change", ...accountLookup(account.account_id), when: [], refusal: stale } as const;
  return transact(db, [
    { ...change, set: { ...account, key_hash } },
    tieBucket(account.account_id, key_hash),
  ]);
};

/** Stores the hash of the warehouse's master key. */
export const putMasterKey = (db: Database, key: string): Promise<void> =>
  put(db, masterKeyLookup, { key_hash: hashKey(key), key_scope: "write" });

export const putShippingMethod = (db: Database, accountId: number, code: string): Promise<void> =>
  put(db, shippingMethodLookup(accountId, code), { code });

export const putSupplier = (db: Database, accountId: number, name: string): Promise<void> =>
  put(db, supplierLookup(accountId, name), { name });

export const putPackageType = (db: Database, accountId: number, code: string): Promise<void> =>
  put(db, packageTypeLookup(accountId, code), { code });

/**
 * Stores a store of an account, which its id and its name find. A store that had another name loses it.
 * @throws Problem `invalid` where another store of the account has the name
 */
export const putStore = (db: Database, accountId: number, stored: Store): Promise<void> =>
  untilFresh(async () => {
    const { store_id, name } = stored;
    const lookups = { id: storeLookup(accountId, store_id), name: storeNameLookup(accountId, name) };
    const find = await getItems(db, [lookups.id, lookups.name]);
    const [before, named] = [parsed(store, find(lookups.id)), parsed(store, find(lookups.name))];
    if (named !== undefined && named.store_id !== store_id)
      throw invalid(`The store ${named.store_id} has the name ${name} already`);
    const setting = (lookup: Lookup, found: Store | undefined): Change => ({
      kind: "change",
      ...lookup,
      set: { store_id, name },
      when: [
        found === undefined ? { attribute: "pk", is: "absent" } : { attribute: "name", equals: found.name },
      ],
      refusal: stale,
    });
    const isRenamed = before !== undefined && before.name !== name;
    const old = isRenamed ? [storeNameLookup(accountId, before.name)] : [];
    await transact(db, [
      setting(lookups.id, before),
      setting(lookups.name, named),
      ...old.map((lookup) => ({ kind: "removal", ...lookup, when: [], refusal: stale }) as const),
    ]);
  });

export const putDistributionCenter = (db: Database, center: DistributionCenter): Promise<void> =>
  put(db, distributionCenterLookup(center.code), center);

/** Stores a bin, its location and its place among all bins. Location names are unique over the warehouse. */
export async function putBin(db: Database, bin: Bin): Promise<void> {
  const { location, distribution_center_id, distribution_center } = bin;
  await put(db, locationLookup(location), { location, distribution_center_id, distribution_center });
  await put(db, binLookup(location, bin.bin), bin);
  await put(db, listedBinLookup(location, bin.bin), bin);
}
