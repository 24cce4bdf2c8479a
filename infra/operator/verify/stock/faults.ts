/** What is wrong with a product's stock, and the writes that repair it. */
import { binContentLookup } from "../../../../shared/stock/bins/bin-repository.ts";
import { unitsIn } from "../../../../shared/stock/bins/layers.ts";
import { incomingChanged } from "../../../../shared/stock/incoming-stock.ts";
import { insertMovement, movementCounted } from "../../../../shared/stock/movements/movement-repository.ts";
import { stockLookup } from "../../../../shared/stock/stock-repository.ts";
import { type Change, exists, still, type Write } from "../../../../shared/store/dynamodb/writes.ts";
import { counted } from "../../cli/result.ts";
import { type Deviation, missing, restoreIt, restoreOrCancel, unreadableItem } from "../finding.ts";
import { acceptable, type Fault, manual, repairable, storing } from "../inspection.ts";
import { type BookedBin, type BookedLevel, type ProductBooks, repairCounter } from "./books.ts";
import { type Figure, figuresOf, isConfirmed, type Part, type StockSums } from "./figures.ts";

const restoreLost = "restore the bin, order or replenishment that is missing from a backup";
const countIt = "count the bin";

export interface Subject {
  readonly product_id: number;
  readonly sku: string;
  readonly created_at: string;
}

type Named = Pick<Subject, "product_id" | "sku">;

const titleOf = ({ product_id, sku }: Named): string => `product ${product_id} (${sku})`;

export const missingProduct = (place: Named): Deviation =>
  missing(`stock of ${titleOf(place)}`, "its product", "there, since stock is never kept without one");

/** Bins, movements or claims without product and stock. */
export const missingProductAndStock = (productId: number): Deviation =>
  missing(
    `product ${productId}`,
    "the product and its stock record",
    "there, since bins, movements or open records are of it",
  );

interface StockContext {
  readonly by?: string | undefined;
  /** Figures of which unreadable records may claim more. */
  readonly openEnded?: ReadonlySet<Part["figure"]>;
  /** What movements reserve for orders that are not there. */
  readonly lostOrders?: ProductBooks["reserved"];
}

/** @returns `isUnclear`: whether an unreadable record may explain a difference */
export function stockFaults(
  subject: Named,
  { levels, bins, sums, unreadable }: ProductBooks,
  claims: StockSums,
  { by = "operator", openEnded = new Set(), lostOrders = [] }: StockContext = {},
) {
  const title = titleOf(subject);
  if (unreadable.length > 0)
    return {
      faults: unreadable.map((key) => manual(unreadableItem(title, key), restoreIt)),
      isUnclear: false,
    };
  const ofLevels = levels.map((level) => faultsOfLevel(level, sums, claims, { by, openEnded, lostOrders }));
  const stocked = new Set(levels.map(({ distribution_center_id }) => distribution_center_id));
  const trusted = new Set(ofLevels.filter(({ isTrusted }) => isTrusted).map(({ center }) => center));
  const lost = lostOrders.map(({ order_id, units }) =>
    missing(
      `order ${order_id}`,
      `the order, which reserves ${counted(units, "unit")} of ${title}`,
      "there, since orders are kept",
    ),
  );
  const { product_id } = subject;
  const claimed = claims.centersOf(product_id);
  // Of a product without any stock record, one finding tells that.
  const known = new Set([...(levels.length > 0 ? sums.centersOf(product_id) : []), ...claimed]);
  const expected = "there, since bins, movements or open records are of it";
  const withoutStock = [...known]
    .filter((center) => !stocked.has(center))
    .map((center) =>
      manual(
        missing(`stock of ${title} in center ${center}`, "the record", expected),
        claimed.includes(center) ? restoreOrCancel : restoreIt,
      ),
    );
  const noStock = missing(title, "its stock record", "there, since the product was created");
  return {
    faults: [
      ...(levels.length > 0 ? [] : [manual(noStock, restoreIt)]),
      ...lost.map((difference) => manual(difference, restoreIt)),
      ...ofLevels.flatMap(({ faults }) => faults),
      ...bins.flatMap((bin) => faultsOfBin(title, bin, trusted.has(bin.content.distribution_center_id))),
      ...withoutStock,
    ],
    isUnclear: ofLevels.some(({ isUnclear }) => isUnclear),
  };
}

type LevelContext = Required<StockContext> & { readonly by: string };

/** One transaction repairs all figures of a level that no unreadable record may explain. */
function faultsOfLevel(
  level: BookedLevel,
  books: StockSums,
  claims: StockSums,
  { by, openEnded, lostOrders }: LevelContext,
) {
  const lost = lostOrders.filter((one) => one.distribution_center_id === level.distribution_center_id);
  const record = `stock of ${titleOf(level)} in ${level.distribution_center}`;
  const figures = figuresOf(level, books, claims);
  const known = figures.filter(({ name }) => !openEnded.has(name));
  const open = figures.filter(({ name }) => openEnded.has(name));
  const isCertain = known.every((figure) => isConfirmed(figure, { areOrdersLost: lost.length > 0 }));
  const isSettled = ({ level: units, moved = units, expected }: Figure): boolean =>
    units === moved && units === expected;
  const errors = errorsOf(known);
  const fault: Fault = {
    differences: errors.map(({ name, source, found, expected }) => ({
      record,
      what: source === "movements" ? `movements of ${name}` : titleOfFigure(name),
      actual: found,
      expected,
    })),
    repair: storing(repairOf(level, errors, by, lost)),
    ...(!isCertain && { next: restoreLost }),
  };
  return {
    center: level.distribution_center_id,
    isUnclear: open.some(isUnexplained),
    isTrusted: isCertain && open.every(isSettled),
    faults: [
      ...(errors.length > 0 ? [fault] : []),
      ...open.flatMap((figure) => faultsOfOpenFigure(record, figure)),
    ],
  };
}

const errorsOf = (figures: readonly Figure[]) =>
  (["level", "movements"] as const).flatMap((source) =>
    figures.flatMap(({ name, level, moved = undefined, expected }) => {
      const found = source === "level" ? level : moved;
      return found === undefined || found === expected ? [] : [{ name, source, found, expected }];
    }),
  );

const titleOfFigure = (name: Part["figure"]): string =>
  name.replace(/^week:/, "count of the movements of week ");

/** More than the records that can be read claim: an unreadable one may claim the rest. */
const isUnexplained = ({ level, moved = level, expected }: Figure): boolean =>
  level === moved && level > expected;

/** What must hold whatever an unreadable record claims. */
function faultsOfOpenFigure(
  record: string,
  { name: what, level: actual, moved = actual, expected }: Figure,
): readonly Fault[] {
  const next = "restore the records that can't be read, and run this again";
  if (actual !== moved)
    return [manual({ record, what, actual, expected: `${moved}, as its movements` }, next)];
  if (actual >= expected) return [];
  return [manual({ record, what, actual, expected: `${expected} or more` }, next)];
}

/** Lost orders that one repair names: a transaction holds 100 writes. */
const maxNamed = 50;

/**
 * Adds what is missing to a stock record, its movements and its counts. The difference does not depend on how
 * stock moves meanwhile, so adding it is right at any time. Stale if another repair of the record came in
 * between. An added movement has the reason `repaired`; one that gives back the units of a lost order names
 * the order, so that movements reserve nothing for it any more.
 */
function repairOf(
  level: BookedLevel,
  errors: ReturnType<typeof errorsOf>,
  by: string,
  lost: ProductBooks["reserved"],
): readonly Write[] {
  const { product_id, distribution_center_id, repairs } = level;
  const place = { product_id, distribution_center_id };
  const at = new Date().toISOString();
  const add: Record<string, number> = { [repairCounter]: 1 };
  const moved = { on_hand: 0, reserved: 0 };
  for (const { name, source, found, expected } of errors) {
    if (source === "level") add[name] = expected - found;
    else if (name === "on_hand" || name === "reserved") moved[name] = expected - found;
  }
  const given = moved.reserved < 0 ? lost.slice(0, maxNamed) : [];
  const rest = given.reduce((units, one) => units + one.units, moved.reserved);
  const movements = [
    ...given.map(({ order_id, units }) => ({ on_hand: 0, reserved: -units, reference: { order_id } })),
    { on_hand: moved.on_hand, reserved: rest, reference: {} },
  ].filter(({ on_hand, reserved }) => on_hand !== 0 || reserved !== 0);
  for (const name of movements.flatMap(() => Object.keys(movementCounted({ at }))))
    add[name] = (add[name] ?? 0) + 1;
  const change: Change = {
    kind: "change",
    ...stockLookup(product_id, distribution_center_id),
    add,
    ...(add["incoming"] !== undefined && { set: incomingChanged(at) }),
    when: [still(repairCounter, repairs), exists],
  };
  return [
    change,
    ...movements.map(({ reference, ...units }) =>
      insertMovement({ ...place, ...units }, { reason: "repaired", reference, by, at }),
    ),
  ];
}

/** The content of a bin once its pending corrections are applied. */
export const expectedIn = ({ content, waiting }: BookedBin): number =>
  waiting.reduce((sum, { difference }) => sum + difference, content.quantity);

/** Sets what a bin expects. Stale if the bin changed meanwhile. */
function repairExpected(bin: BookedBin): Change {
  const { product_id, location, bin: name, quantity, expected, accepted } = bin.content;
  return {
    kind: "change",
    ...binContentLookup(product_id, location, name),
    set: { expected: expectedIn(bin) },
    when: [
      { attribute: "quantity", equals: quantity },
      { attribute: "expected", equals: expected },
      still("accepted", accepted),
    ],
  };
}

/** What a bin expects may show what it held, so it is corrected only if the stock agrees with the bins. */
function faultsOfBin(title: string, bin: BookedBin, isTrusted: boolean): readonly Fault[] {
  const { location, bin: name, quantity, expected, layers } = bin.content;
  const record = `bin ${location}/${name} of ${title}`;
  const faults: Fault[] = [];
  if (expected !== expectedIn(bin)) {
    const difference = { record, what: "expected", actual: expected, expected: expectedIn(bin) };
    const write = repairExpected(bin);
    faults.push(isTrusted ? repairable(difference, write) : acceptable(difference, restoreLost, write));
  }
  if (quantity < 0)
    faults.push(manual({ record, what: "quantity", actual: quantity, expected: "0 or more" }, countIt));
  if (unitsIn(layers) > quantity) {
    const what = "units of known lots and days";
    faults.push(manual({ record, what, actual: unitsIn(layers), expected: `at most ${quantity}` }, countIt));
  }
  return faults;
}
