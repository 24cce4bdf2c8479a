/** Holds products that have serials against their marks: a pick asks for the serials of marked products alone. */
import * as z from "zod/mini";
import { productLookup } from "../../../../shared/catalog/products/product-repository.ts";
import { serial } from "../../../../shared/serials/serial.ts";
import { markSerialized, serialMarkLookup } from "../../../../shared/serials/serial-marks.ts";
import { serialItems, serialProducts } from "../../../../shared/serials/serial-repository.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { mendable } from "../fault.ts";
import type { Verification } from "../finding.ts";
import { readTables } from "../reading.ts";
import { right, type Seen, verifyTwice } from "../twice.ts";
import type { SerialSums } from "./serial-sums.ts";

const titleOf = (productId: number): string => `product ${productId}`;

/** Verifies that products with serials are marked. Where some seem not to be, the serials are read once more. */
export async function verifySerialMarks(verification: Verification, { unmarked }: SerialSums): Promise<void> {
  if (unmarked.isEmpty) return;
  const suspects = new Set<number>();
  await readTables(verification, [
    {
      ...serialItems,
      take: (item) => {
        const { success, data } = z.safeParse(serial, item);
        if (success && unmarked.has(productLookup(data.product_id).key)) suspects.add(data.product_id);
      },
    },
  ]);
  await verifyTwice(verification, [...suspects], (productId) => read(verification, productId), titleOf);
}

async function read({ db }: Verification, productId: number): Promise<Seen> {
  const [mark, serialized] = await Promise.all([
    getItem(db, serialMarkLookup(productId)),
    serialProducts(db, [productId]),
  ]);
  if (mark !== undefined || serialized.size === 0) return right;
  const difference = {
    record: titleOf(productId),
    what: "the mark of a product with serials",
    actual: "not there",
    expected: "there",
  };
  return { state: "unmarked", faults: [mendable(difference, markSerialized(productId))] };
}
