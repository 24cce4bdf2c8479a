/**
 * Registries: the entries that an account's records refer to, and the warehouse's distribution centers and
 * bins.
 */

import * as z from "zod/mini";
import {
  type Bin,
  defaultDistributionCenter,
  findDistributionCenter,
  locations,
  distributionCenters as readCenters,
  packageTypes as readPackageTypes,
  shippingMethods as readShippingMethods,
  stores as readStores,
  suppliers as readSuppliers,
} from "../../../shared/registries/registry-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { Usage } from "../cli/command.ts";
import { id, name, newName, place, title } from "../cli/fields.ts";
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
  read: readShippingMethods,
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
  read: readStores,
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
  read: readSuppliers,
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
  read: readPackageTypes,
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
  check: async (db, { code, distribution_center_id }) => {
    const other = (await readCenters(db)).find(
      (one) => (one.code === code) !== (one.distribution_center_id === distribution_center_id),
    );
    if (other !== undefined)
      throw new Usage(
        `The center ${other.code} has the id ${other.distribution_center_id}; neither can be changed`,
      );
  },
  put: registry.putDistributionCenter,
});

/** A bin as operators state it, without the id of the distribution center. */
const binFields = z.object({ bin_id: id, location: place, bin: place, distribution_center: name });
type BinFields = z.output<typeof binFields>;

const readBins = async (db: Database): Promise<readonly BinFields[]> =>
  (await locations(db)).flatMap(({ location, distribution_center, bins }) =>
    bins.map(({ bin_id, bin }) => ({ bin_id, location, bin, distribution_center })),
  );

async function binOf(db: Database, fields: BinFields): Promise<Bin> {
  const center = await findDistributionCenter(db, fields.distribution_center);
  if (center === undefined) throw new Usage(`There is no distribution center ${fields.distribution_center}`);
  return { ...fields, distribution_center_id: center.distribution_center_id };
}

export const bins = warehouseRegistry({
  name: "bins",
  title: "bin",
  summary: "Places that hold goods. Location names are unique in the warehouse",
  words: "<bin-id> <location> <bin> <distribution-center>",
  example: "1 A1 01 MAIN",
  schema: binFields,
  key: ({ location, bin }) => `${location}/${bin}`,
  read: readBins,
  check: async (db, { bin_id, location, bin, distribution_center }, known) => {
    for (const other of known) {
      const isSame = other.location === location && other.bin === bin;
      if (isSame !== (other.bin_id === bin_id))
        throw new Usage(
          `The bin ${other.location}/${other.bin} has the id ${other.bin_id}; neither can be changed`,
        );
      if (other.location === location && other.distribution_center !== distribution_center)
        throw new Usage(`The location ${location} is in ${other.distribution_center}, with all its bins`);
    }
    await binOf(db, { bin_id, location, bin, distribution_center });
  },
  put: async (db, fields) => registry.putBin(db, await binOf(db, fields)),
});
