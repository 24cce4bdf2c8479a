/** The faults of a product's stock, and the writes that repair them. */

import { unitsIn } from "../../../../shared/stock/bins/layers.ts";
import { unreadableItem } from "../finding.ts";
import { type Fault, manual, repairable } from "../inspection.ts";
import { type ClaimSums, type Claims, expectedLevel, imbalances } from "./balance.ts";
import { expectedIn, repairBooks, repairExpected } from "./book-repairs.ts";
import type { BookedBin, CenterBooks, ProductBooks } from "./stock-books.ts";

export interface Subject {
  readonly product_id: number;
  readonly sku: string;
  readonly created_at: string;
}

const titleOf = ({ product_id, sku }: Pick<Subject, "product_id" | "sku">): string =>
  `product ${product_id} (${sku})`;

export function stockFaults(
  subject: Pick<Subject, "product_id" | "sku">,
  { centers, bins, unreadable }: ProductBooks,
  claims: ClaimSums,
  by = "operator",
): readonly Fault[] {
  if (unreadable.length > 0) return unreadable.map((key) => manual(unreadableItem(titleOf(subject), key)));
  const kept = new Set(centers.map(({ place }) => place.distribution_center_id));
  const withoutStock = claims
    .placesOf(subject.product_id)
    .filter(({ distribution_center_id }) => !kept.has(distribution_center_id));
  const missing = centers.length > 0 ? [] : [manual(missingStock(subject))];
  return [
    ...missing,
    ...centers.flatMap((center) => faultOfCenter(center, claims.at(center.place), by)),
    ...bins.flatMap((bin) => faultsOfBin(subject, bin)),
    ...withoutStock.map(({ distribution_center_id, reserved }) =>
      manual({
        record: `stock of ${titleOf(subject)} in center ${distribution_center_id}`,
        what: "the record, which open records refer to",
        actual: "not there",
        expected: `reserved ${reserved}`,
      }),
    ),
  ];
}

const missingStock = (subject: Pick<Subject, "product_id" | "sku">) => ({
  record: titleOf(subject),
  what: "its stock record",
  actual: "not there",
  expected: "there, since the product was created",
});

export const missingProduct = (place: Pick<Subject, "product_id" | "sku">) => ({
  record: `stock of ${titleOf(place)}`,
  what: "its product",
  actual: "not there",
  expected: "there, since stock is never kept without one",
});

/** Bins, movements or claims without product and stock. */
export const missingProductAndStock = (productId: number) => ({
  record: `product ${productId}`,
  what: "the product and its stock record",
  actual: "not there",
  expected: "there, since bins, movements or open records are of it",
});

function faultOfCenter(center: CenterBooks, claims: Claims, by: string): readonly Fault[] {
  const wrong = imbalances(center, claims);
  const { place, level, moved, miscounted, binned } = center;
  if (wrong.length === 0 && miscounted.length === 0) return [];
  const record = `stock of ${titleOf(place)} in ${place.distribution_center}`;
  const expected = expectedLevel(binned, claims);
  const repair = {
    level: {
      on_hand: expected.on_hand - level.on_hand,
      reserved: expected.reserved - level.reserved,
      incoming: expected.incoming - level.incoming,
    },
    moved: { on_hand: expected.on_hand - moved.on_hand, reserved: expected.reserved - moved.reserved },
    by,
    at: new Date().toISOString(),
  };
  return [
    {
      differences: [
        ...wrong.map(({ figure: what, actual, expected }) => ({ record, what, actual, expected })),
        ...miscounted.map(({ week, actual, expected }) => ({
          record,
          what: `count of the movements of week ${week}`,
          actual,
          expected,
        })),
      ],
      writes: repairBooks(center, repair),
    },
  ];
}

function faultsOfBin(subject: Pick<Subject, "product_id" | "sku">, bin: BookedBin): readonly Fault[] {
  const { location, bin: name, quantity, expected, layers } = bin.content;
  const record = `bin ${location}/${name} of ${titleOf(subject)}`;
  const faults: Fault[] = [];
  if (expected !== expectedIn(bin)) {
    const difference = { record, what: "expected", actual: expected, expected: expectedIn(bin) };
    faults.push(repairable(difference, repairExpected(bin)));
  }
  if (quantity < 0)
    faults.push(manual({ record, what: "quantity", actual: quantity, expected: "0 or more" }));
  if (unitsIn(layers) > quantity) {
    const what = "units of known lots and days";
    faults.push(manual({ record, what, actual: unitsIn(layers), expected: `at most ${quantity}` }));
  }
  return faults;
}
