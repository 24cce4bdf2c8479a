/**
 * Registries: the entries that an account's records refer to, and the warehouse's distribution centers and
 * bins.
 */

import * as z from "zod/mini";
import * as stored from "../../../shared/registries/registry-repository.ts";
import {
  type DistributionCenter,
  locations,
  distributionCenters as readCenters,
} from "../../../shared/registries/registry-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { id, name, newName, place, title } from "../cli/fields.ts";
import type { Judge } from "../import/registry.ts";
import { maxBinsTogether, putBins, putDistributionCenters, putEntries } from "../set-up/registry.ts";
import { registryCommands } from "./registry-commands.ts";

const ofCodes = { shippingMethods: stored.shippingMethods, packageTypes: stored.packageTypes };

const codes = (name: string, title: string, example: string, registry: keyof typeof ofCodes) =>
  registryCommands({
    name,
    title,
    example,
    isOfAccount: true,
    isFixed: true,
    words: "<code>",
    schema: z.object({ code: newName }),
    key: ({ code }) => code,
    read: ofCodes[registry].all,
    put: (db, account, entries) => putEntries(db, account, { [registry]: entries.map(({ code }) => code) }),
  });

export const shippingMethods = codes("shipping-methods", "shipping method", "GROUND", "shippingMethods");

export const packageTypes = codes("package-types", "package type", "BOX-S", "packageTypes");

export const stores = registryCommands({
  name: "stores",
  title: "store",
  isOfAccount: true,
  words: "<store-id> <name>",
  example: '9 "My Web Store"',
  schema: z.object({ store_id: id, name: title }),
  key: ({ store_id }) => String(store_id),
  read: stored.stores.all,
  put: (db, account, entries) => putEntries(db, account, { stores: entries }),
});

export const suppliers = registryCommands({
  name: "suppliers",
  title: "supplier",
  isOfAccount: true,
  isFixed: true,
  words: "<name>",
  example: '"Acme Supply"',
  schema: z.object({ name: title }),
  key: (supplier) => supplier.name,
  read: stored.suppliers.all,
  put: (db, account, entries) => putEntries(db, account, { suppliers: entries.map((one) => one.name) }),
});

/** Refuses an entry whose name or id is another one's: neither can be changed. */
function pairing<T>(noun: string, nameOf: (entry: T) => string, idOf: (entry: T) => number): Judge<T> {
  const [byName, byId] = [new Map<string, T>(), new Map<number, T>()];
  return (entry) => {
    const [name, entryId] = [nameOf(entry), idOf(entry)];
    const other = [byName.get(name), byId.get(entryId)].find(
      (one) => one !== undefined && (nameOf(one) !== name || idOf(one) !== entryId),
    );
    if (other !== undefined)
      return `The ${noun} ${nameOf(other)} has the id ${idOf(other)}; neither can be changed`;
    byName.set(name, entry);
    byId.set(entryId, entry);
    return undefined;
  };
}

export const distributionCenters = registryCommands({
  name: "distribution-centers",
  title: "distribution center",
  isOfAccount: false,
  words: "<distribution-center-id> <code> <name>",
  example: '1 MAIN "Main Warehouse"',
  schema: z.object({ distribution_center_id: id, code: name, name: title }),
  key: ({ code }) => code,
  read: readCenters,
  judge: async () =>
    pairing<DistributionCenter>(
      "center",
      ({ code }) => code,
      (one) => one.distribution_center_id,
    ),
  put: (db, _account, centers) => putDistributionCenters(db, centers),
});

/** A bin as operators state it, without the id of the distribution center. */
const binFields = z.object({ bin_id: id, location: place, bin: place, distribution_center: name });
type BinFields = z.output<typeof binFields>;

const readBins = async (db: Database): Promise<readonly BinFields[]> =>
  (await locations(db)).flatMap(({ location, distribution_center, bins }) =>
    bins.map(({ bin_id, bin }) => ({ bin_id, location, bin, distribution_center })),
  );

/** Bins that were accepted fix ids of places, and centers of locations. */
function binJudge(centers: ReadonlySet<string>): Judge<BinFields> {
  const pairs = pairing<BinFields>("bin", placeOf, ({ bin_id }) => bin_id);
  const centerOf = new Map<string, string>();
  return (entry, isStored = false) => {
    const { location, distribution_center: wanted } = entry;
    const center = centerOf.get(location) ?? wanted;
    if (center !== wanted) return `The location ${location} is in ${center}, with all its bins`;
    if (!isStored && !centers.has(wanted)) return `There is no distribution center ${wanted}`;
    const conflict = pairs(entry);
    if (conflict === undefined) centerOf.set(location, wanted);
    return conflict;
  };
}

const placeOf = ({ location, bin }: Pick<BinFields, "location" | "bin">): string => `${location}/${bin}`;

export const bins = registryCommands({
  name: "bins",
  title: "bin",
  isOfAccount: false,
  isFixed: true,
  words: "<bin-id> <location> <bin> <distribution-center>",
  example: "1 A1 01 MAIN",
  schema: binFields,
  key: placeOf,
  together: maxBinsTogether,
  read: readBins,
  judge: async (db) => binJudge(new Set((await readCenters(db)).map(({ code }) => code))),
  put: async (db, _account, entries) => {
    const centers = new Map((await readCenters(db)).map((one) => [one.code, one.distribution_center_id]));
    const stored = entries.map((entry) => ({
      ...entry,
      distribution_center_id: centers.get(entry.distribution_center) ?? 0,
    }));
    await putBins(db, stored);
  },
});
