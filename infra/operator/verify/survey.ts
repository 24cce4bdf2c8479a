/**
 * The first look of a verification: it reads the tables whole, each once, and gathers sums that tell where something may be
 * wrong. Writers may go on, so whatever a sum tells is looked at again before it counts.
 */

import { pickedCounts } from "../../../shared/orders/storage/picked-orders.ts";
import { lists } from "../../../shared/schema/lists.ts";
import {
  type Centers,
  type EntryKind,
  entryKinds,
  type Known,
  readCenters,
} from "../../../shared/schema/lookups.ts";
import { serialMarks } from "../../../shared/serials/serial-marks.ts";
import { serialItems } from "../../../shared/serials/serial-repository.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { countersTable, ownerKinds } from "../../../shared/store/lists/counters/counters.ts";
import {
  binContentList,
  productList,
  replenishmentList,
  stockList,
} from "../../../shared/store/lists/definitions.ts";
import type { Listed } from "../../../shared/store/lists/records.ts";
import { AllCounters } from "../../../shared/store/lists/repair/all-counters.ts";
import { decideStock, isMeant, reportUnreadable, type UnknownItems, type Verification } from "./finding.ts";
import { ListSums } from "./lists/list-sums.ts";
import { keyIn, readable } from "./lookups/lookup-items.ts";
import { EntrySums, entryTakings } from "./lookups/lookup-sums.ts";
import { PickedSums } from "./orders/picked-sums.ts";
import { ReturnSums } from "./orders/return-sums.ts";
import { readTables, type Taking } from "./reading.ts";
import { SerialSums } from "./serials/serial-sums.ts";
import type { WaitingCorrection } from "./stock/corrections.ts";
import { claimsOfOrder, claimsOfReplenishment } from "./stock/open-claims.ts";
import { type BookedBin, bookedBin } from "./stock/stock-books.ts";
import { StockSums } from "./stock/stock-sums.ts";
import { lookAtOtherTables, UnknownItemsFound } from "./unknown-items.ts";

/** What a survey has gathered of records. */
interface Surveyed {
  readonly lists: ReadonlyMap<string, ListSums>;
  readonly tallies: AllCounters;
  readonly entries: EntrySums;
  readonly stock: StockSums;
  readonly picked: PickedSums;
  readonly serials: SerialSums;
  readonly returns: ReturnSums;
  readonly corrections: WaitingCorrection[];
  /** Accounts of which records that decide about stock can't be read. */
  readonly unclear: Set<number>;
}

/** What a survey has gathered. */
export interface Survey extends Surveyed {
  readonly unknown: readonly UnknownItems[];
}

/**
 * Reads the tables `inventory`, `orders`, `directory` and `tallies`, and the keys of the others. What can't be read is reported.
 */
export async function survey(verification: Verification): Promise<Survey> {
  const found: Surveyed = {
    lists: new Map([...lists].map(([name, { list }]) => [name, new ListSums(list)] as const)),
    tallies: new AllCounters(),
    entries: new EntrySums(),
    stock: new StockSums(),
    picked: new PickedSums(),
    serials: await SerialSums.of(verification),
    returns: new ReturnSums(),
    corrections: [],
    unclear: new Set(),
  };
  const unknown = new UnknownItemsFound(verification);
  const centers = await readCenters(verification.db);
  const takings: readonly Taking[] = [
    ...recordTakings(verification, found, centers),
    ...entryTakings(verification, (_kind, place, item) => found.entries.addEntry(place, item)),
    { table: stockList.table, kind: "movement", take: (item) => found.stock.addMovement(item) },
    { ...pickedCounts, take: (item) => found.picked.addCount(item) },
    { ...serialItems, take: (item) => found.serials.addSerial(item) },
    { ...serialMarks, take: (item) => found.serials.addMark(item) },
    // Tallies come last, so that blocks that are leased meanwhile have theirs here.
    ...[...ownerKinds([...lists.keys()]), "counter"].map(
      (kind): Taking => ({ table: countersTable, kind, take: (item) => found.tallies.add(item) }),
    ),
  ];
  await readTables(
    verification,
    takings.map((taking) => reportingUnreadable(verification, taking)),
    (table, item) => unknown.look(table, item),
  );
  const surveyed = takings.map(({ table }) => table);
  await lookAtOtherTables(verification, surveyed, unknown);
  return { ...found, unknown: unknown.all() };
}

/** Reports an item that can't be read, and goes on with the others. */
const reportingUnreadable = (verification: Verification, taking: Taking): Taking => ({
  ...taking,
  take: (item) => {
    try {
      taking.take(item);
    } catch {
      reportUnreadable(verification, `table ${taking.table}`, keyIn(item));
    }
  },
});

/** Takes records, each of its list. */
function recordTakings(verification: Verification, found: Surveyed, centers: Centers): readonly Taking[] {
  const kinds = new Map(entryKinds.map((kind) => [kind.list.name, kind] as const));
  return [...lists.values()].map((listed) => ({
    table: listed.list.table,
    kind: listed.list.name,
    take: (item) => {
      // A slot of stock does not say whose it is.
      if (isMeant(verification, item["account_id"]) || item["account_id"] === undefined)
        takeRecord(verification, found, { listed, item, kind: kinds.get(listed.list.name), centers });
    },
  }));
}

interface Taken {
  readonly listed: Listed;
  readonly item: RawItem;
  readonly kind: EntryKind | undefined;
  readonly centers: Centers;
}

function takeRecord(verification: Verification, found: Surveyed, taken: Taken): void {
  const { listed, item, kind } = taken;
  const { list } = listed;
  const key = keyIn(item);
  try {
    if (list === stockList) found.stock.addStock(item);
    if (list === binContentList) takeBin(found, bookedBin(item));
    if (list === productList) found.stock.addProduct(Number(item["product_id"]));
    // What has no cell is not listed: slots, and items that are to become records.
    const { cell: stored, day, account_id: account } = item;
    if (typeof stored !== "string") return;
    const known = kind === undefined ? undefined : knownIn(found, { ...taken, kind });
    const { owner, cell } = known ?? { owner: String(account), cell: listed.facetKeyOfItem(item) };
    found.lists.get(list.name)?.add({ key, owner, stored, cell, day: Number(day) });
    if (known !== undefined) takeClaims(found, list.name, item, known);
  } catch {
    const { account_id: account } = item;
    reportUnreadable(verification, `list ${list.name} of ${String(account)}`, key);
    if (decideStock.has(list.name) && typeof account === "number") found.unclear.add(account);
  }
}

function takeBin(found: Surveyed, bin: BookedBin): void {
  found.stock.addBin(bin);
  for (const waiting of bin.waiting) found.corrections.push({ bin: bin.content, waiting });
}

/** @throws where the item is no record */
function knownIn(found: Surveyed, { item, kind, centers }: Taken & { readonly kind: EntryKind }): Known {
  const known = readable(kind, item, centers);
  found.entries.addRecord(kind, item, keyIn(item), known);
  if (known === undefined) throw new Error("the item is no record of its list");
  return known;
}

function takeClaims(found: Surveyed, list: string, item: RawItem, { order, orderReturn, cell }: Known): void {
  if (orderReturn !== undefined) found.returns.addReturn(orderReturn);
  if (list === replenishmentList.name) found.stock.addClaims(claimsOfReplenishment(item, cell));
  if (order === undefined) return;
  found.stock.addClaims(claimsOfOrder(order));
  found.picked.addOrder(order);
  found.serials.addOrder(order);
  found.returns.addOrder(order);
}
