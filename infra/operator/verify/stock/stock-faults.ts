/** The faults of a product's stock, and the writes that repair them. */

import { unitsIn } from "../../../../shared/stock/bins/layers.ts";
import { restoreIt, restoreOrCancel, unreadableItem } from "../finding.ts";
import { type Fault, kept, manual, repairable } from "../inspection.ts";
import { type ClaimSums, type Figure, figuresOf, isConfirmed } from "./balance.ts";
import { expectedIn, repairBooks, repairExpected } from "./book-repairs.ts";
import type { BookedBin, CenterBooks, ProductBooks } from "./stock-books.ts";

const restoreLost = "restore the bin, order or replenishment that is missing from a backup";
const countIt = "count the bin";

export interface Subject {
  readonly product_id: number;
  readonly sku: string;
  readonly created_at: string;
}

const titleOf = ({ product_id, sku }: Pick<Subject, "product_id" | "sku">): string =>
  `product ${product_id} (${sku})`;

/** What else decides about the stock of a product. */
export interface StockContext {
  readonly by?: string | undefined;
  /** Figures of which unreadable records may claim more. */
  readonly openEnded?: ReadonlySet<Figure["name"]>;
  /** Orders that movements name and that are not there, with the units reserved for them. */
  readonly lostOrders?: ReadonlyMap<number, number>;
}

export interface StockFaults {
  readonly faults: readonly Fault[];
  /** Whether an unreadable record may explain a difference. */
  readonly isUnclear: boolean;
}

export function stockFaults(
  subject: Pick<Subject, "product_id" | "sku">,
  { centers, bins, unreadable }: ProductBooks,
  claims: ClaimSums,
  { by = "operator", openEnded = new Set(), lostOrders = new Map() }: StockContext = {},
): StockFaults {
  if (unreadable.length > 0)
    return {
      faults: unreadable.map((key) => manual(unreadableItem(titleOf(subject), key), restoreIt)),
      isUnclear: false,
    };
  const areOrdersLost = lostOrders.size > 0;
  const ofCenters = centers.map((center) => {
    const figures = figuresOf(center, claims.at(center.place));
    const known = figures.filter(({ name }) => !openEnded.has(name));
    const open = figures.filter(({ name }) => openEnded.has(name));
    const isConfirmedCenter = known.every((figure) => isConfirmed(figure, { areOrdersLost }));
    return {
      id: center.place.distribution_center_id,
      isUnclear: open.some(isUnexplained),
      isRepairable:
        isConfirmedCenter &&
        open.every(({ level, moved = level, expected }) => level === moved && expected === level),
      faults: [
        ...faultOfCenter(center, known, { isConfirmed: isConfirmedCenter, by }),
        ...open.flatMap((figure) => faultsOfOpenFigure(center, figure)),
      ],
    };
  });
  const stocked = new Set(ofCenters.map(({ id }) => id));
  const trusted = new Set(ofCenters.filter(({ isRepairable }) => isRepairable).map(({ id }) => id));
  const withoutStock = claims
    .placesOf(subject.product_id)
    .filter(({ distribution_center_id }) => !stocked.has(distribution_center_id));
  const missing = centers.length > 0 ? [] : [manual(missingStock(subject), restoreIt)];
  const faults = [
    ...missing,
    ...[...lostOrders].map(([orderId, units]) => manual(lostOrder(subject, orderId, units), restoreIt)),
    ...ofCenters.flatMap((center) => center.faults),
    ...bins.flatMap((bin) => faultsOfBin(subject, bin, trusted.has(bin.content.distribution_center_id))),
    ...withoutStock.map(({ distribution_center_id, reserved }) =>
      manual(
        {
          record: `stock of ${titleOf(subject)} in center ${distribution_center_id}`,
          what: "the record, which open records refer to",
          actual: "not there",
          expected: `reserved ${reserved}`,
        },
        restoreOrCancel,
      ),
    ),
  ];
  return { faults, isUnclear: ofCenters.some(({ isUnclear }) => isUnclear) };
}

const lostOrder = (subject: Pick<Subject, "product_id" | "sku">, orderId: number, units: number) => ({
  record: `order ${orderId}`,
  what: `it, for which ${units} units of ${titleOf(subject)} are reserved`,
  actual: "not there",
  expected: "there, since orders are kept",
});

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

const recordOf = ({ place }: CenterBooks): string =>
  `stock of ${titleOf(place)} in ${place.distribution_center}`;

/** More than the records that can be read claim: an unreadable one may claim the rest. */
const isUnexplained = ({ level, moved = level, expected }: Figure): boolean =>
  level === moved && level > expected;

/** What must hold whatever an unreadable record claims. */
function faultsOfOpenFigure(
  center: CenterBooks,
  { name: what, level: actual, moved = actual, expected }: Figure,
): readonly Fault[] {
  const record = recordOf(center);
  const next = "restore the records that can't be read, and run this again";
  if (actual !== moved)
    return [manual({ record, what, actual, expected: `${moved}, as its movements` }, next)];
  if (actual >= expected) return [];
  return [manual({ record, what, actual, expected: `${expected} or more` }, next)];
}

/** Compares the figures of a center, and its counts of movements. One transaction repairs all of them. */
function faultOfCenter(
  center: CenterBooks,
  figures: readonly Figure[],
  { isConfirmed: isCertain, by }: { readonly isConfirmed: boolean; readonly by: string },
): readonly Fault[] {
  const record = recordOf(center);
  const differences = [
    ...figures.flatMap(({ name, level, expected }) =>
      level === expected ? [] : [{ record, what: name, actual: level, expected }],
    ),
    ...figures.flatMap(({ name, moved = undefined, expected }) =>
      moved === undefined || moved === expected
        ? []
        : [{ record, what: `movements of ${name}`, actual: moved, expected }],
    ),
    ...center.miscounted.map(({ week, actual, expected }) => ({
      record,
      what: `count of the movements of week ${week}`,
      actual,
      expected,
    })),
  ];
  if (differences.length === 0) return [];
  const missing = (name: Figure["name"], source: "level" | "moved"): number => {
    const figure = figures.find((one) => one.name === name);
    return figure === undefined ? 0 : figure.expected - (figure[source] ?? figure.expected);
  };
  const writes = repairBooks(center, {
    level: {
      on_hand: missing("on_hand", "level"),
      reserved: missing("reserved", "level"),
      held: missing("held", "level"),
      incoming: missing("incoming", "level"),
    },
    moved: { on_hand: missing("on_hand", "moved"), reserved: missing("reserved", "moved") },
    by,
    at: new Date().toISOString(),
  });
  return [{ differences, repair: writes, ...(!isCertain && { next: restoreLost }) }];
}

/** What a bin expects may show what it held, so it is corrected only if the stock agrees with the bins. */
function faultsOfBin(
  subject: Pick<Subject, "product_id" | "sku">,
  bin: BookedBin,
  isTrusted: boolean,
): readonly Fault[] {
  const { location, bin: name, quantity, expected, layers } = bin.content;
  const record = `bin ${location}/${name} of ${titleOf(subject)}`;
  const faults: Fault[] = [];
  if (expected !== expectedIn(bin)) {
    const difference = { record, what: "expected", actual: expected, expected: expectedIn(bin) };
    const write = repairExpected(bin);
    faults.push(isTrusted ? repairable(difference, write) : kept(difference, restoreLost, write));
  }
  if (quantity < 0)
    faults.push(manual({ record, what: "quantity", actual: quantity, expected: "0 or more" }, countIt));
  if (unitsIn(layers) > quantity) {
    const what = "units of known lots and days";
    faults.push(manual({ record, what, actual: unitsIn(layers), expected: `at most ${quantity}` }, countIt));
  }
  return faults;
}
