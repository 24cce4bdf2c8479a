/**
 * Registries: the entries that an account's records refer to, and the warehouse's distribution centers and
 * bins.
 */

import * as z from "zod/mini";
import * as stored from "../../../shared/registries/registry-repository.ts";
import {
  type DistributionCenter,
  defaultDistributionCenter,
  locations,
  distributionCenters as readCenters,
} from "../../../shared/registries/registry-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { id, name, newName, place, title } from "../cli/fields.ts";
import type { Judge } from "../import/registry.ts";
import * as registry from "../registry.ts";
import { accountRegistry, warehouseRegistry } from "./registry.ts";

export const shippingMethods = accountRegistry({
  name: "shipping-methods",
  title: "shipping method",
  summary: "Shipping methods of an account's orders",
  words: "<code>",
  example: "GROUND",
  schema: z.object({ code: newName }),
  key: ({ code }) => code,
  read: stored.shippingMethods.all,
  put: (db, accountId, { code }) => registry.putShippingMethod(db, accountId, code),
});

export const stores = accountRegistry({
  name: "stores",
  title: "store",
  summary: "Stores that an account's orders come from. Channels of aliases are stores",
  words: "<store-id> <name>",
  example: '9 "My Web Store"',
  schema: z.object({ store_id: id, name: title }),
  key: ({ store_id }) => String(store_id),
  read: stored.stores.all,
  put: registry.putStore,
});

export const suppliers = accountRegistry({
  name: "suppliers",
  title: "supplier",
  summary: "Suppliers of an account's products",
  words: "<name>",
  example: '"Acme Supply"',
  schema: z.object({ name: title }),
  key: (supplier) => supplier.name,
  read: stored.suppliers.all,
  put: (db, accountId, supplier) => registry.putSupplier(db, accountId, supplier.name),
});

export const packageTypes = accountRegistry({
  name: "package-types",
  title: "package type",
  summary: "Packaging of an account's products",
  words: "<code>",
  example: "BOX-S",
  schema: z.object({ code: newName }),
  key: ({ code }) => code,
  read: stored.packageTypes.all,
  put: (db, accountId, { code }) => registry.putPackageType(db, accountId, code),
});

export const distributionCenters = warehouseRegistry({
  name: "distribution-centers",
  title: "distribution center",
  summary: `Sites where goods are kept. The default is ${defaultDistributionCenter}`,
  words: "<distribution-center-id> <code> <name>",
  example: '1 MAIN "Main Warehouse"',
  schema: z.object({ distribution_center_id: id, code: name, name: title }),
  key: ({ code }) => code,
  read: readCenters,
  judge: async (_db, existing) => {
    const [byCode, byId] = [new Map<string, number>(), new Map<number, string>()];
    const accept = ({
      code,
      distribution_center_id,
    }: Pick<DistributionCenter, "code" | "distribution_center_id">) => {
      byCode.set(code, distribution_center_id);
      byId.set(distribution_center_id, code);
    };
    for (const one of existing) accept(one);
    return (entry) => {
      const { code, distribution_center_id: centerId } = entry;
      const [otherCode, otherId] = [byId.get(centerId) ?? code, byCode.get(code) ?? centerId];
      if (otherCode !== code) return `The center ${otherCode} has the id ${centerId}; neither can be changed`;
      if (otherId !== centerId) return `The center ${code} has the id ${otherId}; neither can be changed`;
      accept(entry);
      return undefined;
    };
  },
  put: registry.putDistributionCenters,
});

/** A bin as operators state it, without the id of the distribution center. */
const binFields = z.object({ bin_id: id, location: place, bin: place, distribution_center: name });
type BinFields = z.output<typeof binFields>;

const readBins = async (db: Database): Promise<readonly BinFields[]> =>
  (await locations(db)).flatMap(({ location, distribution_center, bins }) =>
    bins.map(({ bin_id, bin }) => ({ bin_id, location, bin, distribution_center })),
  );

/** What bins that were accepted fix: ids of places, and centers of locations. */
function binJudge(centers: ReadonlySet<string>, existing: readonly BinFields[]): Judge<BinFields> {
  const byPlace = new Map<string, BinFields>();
  const byId = new Map<number, BinFields>();
  const centerOf = new Map<string, string>();
  const accept = (entry: BinFields) => {
    byPlace.set(placeOf(entry), entry);
    byId.set(entry.bin_id, entry);
    centerOf.set(entry.location, entry.distribution_center);
  };
  for (const one of existing) accept(one);
  return (entry) => {
    const { bin_id, location, distribution_center } = entry;
    const [named, numbered] = [byPlace.get(placeOf(entry)), byId.get(bin_id)];
    const other = [named, numbered].find(
      (one) => one !== undefined && (one.bin_id !== bin_id || placeOf(one) !== placeOf(entry)),
    );
    if (other !== undefined)
      return `The bin ${placeOf(other)} has the id ${other.bin_id}; neither can be changed`;
    const center = centerOf.get(location) ?? distribution_center;
    if (center !== distribution_center) return `The location ${location} is in ${center}, with all its bins`;
    if (!centers.has(distribution_center)) return `There is no distribution center ${distribution_center}`;
    accept(entry);
    return undefined;
  };
}

const placeOf = ({ location, bin }: Pick<BinFields, "location" | "bin">): string => `${location}/${bin}`;

export const bins = warehouseRegistry({
  name: "bins",
  title: "bin",
  summary: "Places that hold goods. Location names are unique in the warehouse",
  words: "<bin-id> <location> <bin> <distribution-center>",
  example: "1 A1 01 MAIN",
  schema: binFields,
  key: placeOf,
  together: registry.maxBinsTogether,
  read: readBins,
  judge: async (db, existing) => binJudge(new Set((await readCenters(db)).map(({ code }) => code)), existing),
  put: async (db, entries) => {
    const centers = new Map((await readCenters(db)).map((one) => [one.code, one.distribution_center_id]));
    const stored = entries.map((entry) => ({
      ...entry,
      distribution_center_id: centers.get(entry.distribution_center) ?? 0,
    }));
    await registry.putBins(db, stored);
  },
});
