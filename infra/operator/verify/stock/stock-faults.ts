/** What is wrong with the stock of a product, and the writes that mend it. */

import { unitsIn } from "../../../../shared/stock/bins/layers.ts";
import { byHand, type Fault, mendable } from "../fault.ts";
import { unreadableItem } from "../finding.ts";
import { type ClaimSums, type Claims, imbalances, levelOughtToBe } from "./balance.ts";
import { expectedIn, repairBooks, repairExpected } from "./book-repairs.ts";
import type { BookedBin, CenterBooks, ProductBooks } from "./stock-books.ts";

/** A product to be held against the rules. */
export interface Subject {
  readonly product_id: number;
  readonly sku: string;
  readonly created_at: string;
}

const titleOf = ({ product_id, sku }: Pick<Subject, "product_id" | "sku">): string =>
  `product ${product_id} (${sku})`;

/** All that is wrong with the stock of a product. */
export function stockFaults(
  subject: Pick<Subject, "product_id" | "sku">,
  { centers, bins, unreadable }: ProductBooks,
  claims: ClaimSums,
  by = "operator",
): readonly Fault[] {
  if (unreadable.length > 0) return unreadable.map((key) => byHand(unreadableItem(titleOf(subject), key)));
  const kept = new Set(centers.map(({ place }) => place.distribution_center_id));
  const homeless = claims
    .placesOf(subject.product_id)
    .filter(({ distribution_center_id }) => !kept.has(distribution_center_id));
  const missing = centers.length > 0 ? [] : [byHand(missingStock(subject))];
  return [
    ...missing,
    ...centers.flatMap((center) => faultOfCenter(center, claims.at(center.place), by)),
    ...bins.flatMap((bin) => faultsOfBin(subject, bin)),
    ...homeless.map(({ distribution_center_id, reserved }) =>
      byHand({
        record: `stock of ${titleOf(subject)} in center ${distribution_center_id}`,
        what: "the record, which open records refer to",
        is: "not there",
        ought: `reserved ${reserved}`,
      }),
    ),
  ];
}

const missingStock = (subject: Pick<Subject, "product_id" | "sku">) => ({
  record: titleOf(subject),
  what: "its stock record",
  is: "not there",
  ought: "there, since the product was created",
});

/** Stock without a product. */
export const goneProduct = (place: Pick<Subject, "product_id" | "sku">) => ({
  record: `stock of ${titleOf(place)}`,
  what: "its product",
  is: "not there",
  ought: "there, since stock is never kept without one",
});

/** What is kept of a product without the product and its stock. */
export const goneStock = (productId: number) => ({
  record: `product ${productId}`,
  what: "the product and its stock record",
  is: "not there",
  ought: "there, since bins, movements or open records are of it",
});

function faultOfCenter(center: CenterBooks, claims: Claims, by: string): readonly Fault[] {
  const wrong = imbalances(center, claims);
  const { place, level, moved, miscounted, binned } = center;
  if (wrong.length === 0 && miscounted.length === 0) return [];
  const record = `stock of ${titleOf(place)} in ${place.distribution_center}`;
  const ought = levelOughtToBe(binned, claims);
  const lack = {
    level: {
      on_hand: ought.on_hand - level.on_hand,
      reserved: ought.reserved - level.reserved,
      incoming: ought.incoming - level.incoming,
    },
    moved: { on_hand: ought.on_hand - moved.on_hand, reserved: ought.reserved - moved.reserved },
    by,
    at: new Date().toISOString(),
  };
  return [
    {
      differences: [
        ...wrong.map(({ figure: what, is, ought }) => ({ record, what, is, ought })),
        ...miscounted.map(({ week, is, ought }) => ({
          record,
          what: `count of the movements of week ${week}`,
          is,
          ought,
        })),
      ],
      writes: repairBooks(center, lack),
    },
  ];
}

function faultsOfBin(subject: Pick<Subject, "product_id" | "sku">, bin: BookedBin): readonly Fault[] {
  const { location, bin: name, quantity, expected, layers } = bin.content;
  const record = `bin ${location}/${name} of ${titleOf(subject)}`;
  const faults: Fault[] = [];
  if (expected !== expectedIn(bin)) {
    const difference = { record, what: "expected", is: expected, ought: expectedIn(bin) };
    faults.push(mendable(difference, repairExpected(bin)));
  }
  if (quantity < 0) faults.push(byHand({ record, what: "quantity", is: quantity, ought: "0 or more" }));
  if (unitsIn(layers) > quantity) {
    const what = "units of known lots and days";
    faults.push(byHand({ record, what, is: unitsIn(layers), ought: `at most ${quantity}` }));
  }
  return faults;
}
