/** The two passes of a verification over the tables, for all checks together. */

import { setTimeout as sleep } from "node:timers/promises";
import { binContentList } from "../../../shared/catalog/products/product-lists.ts";
import { deploymentOwner, jobList } from "../../../shared/jobs/job-repository.ts";
import { keyIn } from "../../../shared/store/dynamodb/keys.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { countersTable, ownerKinds } from "../../../shared/store/lists/counters/counters.ts";
import { facetKeyAttribute, isListedRecord } from "../../../shared/store/lists/facets.ts";
import type { RecordList } from "../../../shared/store/lists/repository.ts";
import { tableNames } from "../../../shared/store/tables.ts";
import { lists } from "../../data-model/lists.ts";
import { type Centers, lookupKinds, readCenters } from "../../data-model/lookups.ts";
import { AllCounters } from "../list-repair/all-counters.ts";
import type { ListItem, Pass, SecondPass } from "./comparator.ts";
import { isInScope, reportUnreadable, type Verification } from "./finding.ts";
import { ListSums } from "./lists/list-sums.ts";
import { type ItemReader, readTables } from "./reading.ts";
import type { Scope } from "./scope.ts";
import { bookedBin } from "./stock/books.ts";
import { unknownItems } from "./unknown-items.ts";

export type Survey = Awaited<ReturnType<typeof survey>>;

/**
 * The first pass: reads the tables that are compared, and the keys of the others. Unreadable items are
 * reported.
 * @returns what it collects besides what is compared. Jobs are in no list, but their ids are allocated like
 * those of lists; there are none with one account.
 */
export async function survey(verification: Verification, compared: readonly Pass[], scope: Scope) {
  const sums = new Map([...lists].map(([name, { list }]) => [name, new ListSums(list)] as const));
  const jobs = new ListSums(jobList);
  const ofJobs: ItemReader = {
    table: jobList.table,
    kind: jobList.name,
    keysOnly: true,
    isVerified: () => verification.accountId === undefined,
    read: (item) => jobs.add({ key: keyIn(item), owner: deploymentOwner, stored: "", expected: "", day: 0 }),
  };
  const counters = new AllCounters();
  const unknown = unknownItems(verification);
  const ofLists = await listReaders(verification, scope, (one) => {
    const { list, key, item, counted, isUnreadable } = one;
    if (counted !== undefined) sums.get(list.name)?.add(counted);
    for (const { readListItem } of compared) readListItem(one);
    if (isUnreadable === true)
      reportUnreadable(verification, `list ${list.name} of ${String(item["account_id"])}`, key);
  });
  const others = compared.flatMap(({ readers }) => readers);
  const ofCounters = [...ownerKinds([...lists.keys(), jobList.name]), "counter"].map(
    (kind): ItemReader => ({
      table: countersTable,
      kind,
      // Those of other accounts tell whose a block or a node is.
      isReported: (item) => scope.hasCounter(keyIn(item)),
      read: (item) => counters.add(item),
    }),
  );
  // Counters come last, so that they know all blocks that are leased while records are read.
  const readers = [...ofLists, ofJobs, ...others, ...ofCounters];
  const tables = new Set(readers.map(({ table }) => table));
  await readTables(
    verification,
    // Other tables hold items of all accounts.
    verification.accountId === undefined ? new Set([...tables, ...tableNames]) : tables,
    readers,
    {
      onItem: (table, item) => unknown.look(table, item),
      onUnreadable: (table, key) => reportUnreadable(verification, `table ${table}`, key),
    },
  );
  return { lists: sums, jobs, counters, unknown: unknown.all() };
}

/** The second pass: reads again what did not agree in the first one, and names the suspects. */
export async function nameSuspects(
  verification: Verification,
  compared: readonly SecondPass<unknown>[],
  scope: Scope,
): Promise<void> {
  const uneven = compared.filter(({ isNeeded }) => isNeeded);
  if (uneven.length === 0) return;
  // Records and the items that they need may be stored one after another.
  await sleep(verification.settleMs);
  const ofLists = await listReaders(verification, scope, (one) => {
    for (const { readListItem } of uneven) readListItem(one);
  });
  const needed = new Set(uneven.flatMap((one) => one.lists.map(({ name }) => name)));
  const readers = [
    ...ofLists.filter(({ kind }) => needed.has(kind)),
    ...uneven.flatMap((one) => one.readers),
  ];
  await readTables(verification, new Set(readers.map(({ table }) => table)), readers);
}

/** Readers of the records of all lists, by the names of these. A shard of stock does not name its account. */
async function listReaders(
  verification: Verification,
  { hasRecord }: Scope,
  take: (one: ListItem) => void,
): Promise<readonly ItemReader[]> {
  const centers = await readCenters(verification.db);
  return [...lists.values()].map((listed) => ({
    table: listed.list.table,
    kind: listed.list.name,
    isVerified: (item) =>
      typeof item["account_id"] === "number"
        ? isInScope(verification, item["account_id"])
        : hasRecord(keyIn(item)),
    read: (item) => take(listItem(listed, item, centers)),
  }));
}

const lookupsOf = new Map(lookupKinds.map((kind) => [kind.list.name, kind] as const));

/** Shards of stock, and items that a saga has not completed, are not counted. */
function listItem(listed: RecordList, item: RawItem, centers: Centers): ListItem {
  const { list } = listed;
  const key = keyIn(item);
  const { day, account_id: account } = item;
  try {
    const bin = list === binContentList ? bookedBin(item) : undefined;
    if (!isListedRecord(item)) return { list, key, item, bin };
    const stored = item[facetKeyAttribute];
    const record = lookupsOf.get(list.name)?.read(item, centers);
    const { owner, facetKey } = record ?? { owner: String(account), facetKey: listed.facetKeyOfItem(item) };
    const counted = { key, owner, stored, expected: facetKey, day: Number(day) };
    return { list, key, item, bin, record, counted };
  } catch {
    return { list, key, item, isUnreadable: true };
  }
}
