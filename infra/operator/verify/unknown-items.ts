/** Items that this release does not store, or whose layout it can't read: no other check reads them. */

import { keyIn } from "../../../shared/store/dynamodb/keys.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { layoutIn, toBeMoved } from "../../../shared/store/layouts/layouts.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import { isReadable, kindOf, partitionOf } from "../../data-model/kinds.ts";
import { isInScope, type UnknownItems, type Verification } from "./finding.ts";

/** How an item is unknown to this release; undefined if it is not. */
function unknownIn({ layouts }: Verification["db"], table: TableName, item: RawItem) {
  const key = keyIn(item);
  if (kindOf(table, key) === undefined) return "kind";
  if (!isReadable(layouts, table, key, layoutIn(item))) return "layout";
  return layouts.isReached() && toBeMoved(layouts, table, item) !== undefined ? "left" : undefined;
}

/** Counts unknown items by their keys and layouts: those that name no account, or one that is verified. */
export function unknownItems(verification: Pick<Verification, "db" | "accountId">) {
  const found = new Map<string, UnknownItems>();
  const look = (table: TableName, item: RawItem): void => {
    const { account_id: account } = item;
    if (typeof account === "number" && !isInScope(verification, account)) return;
    const what = unknownIn(verification.db, table, item);
    if (what === undefined) return;
    const example = keyIn(item);
    const [begins, layout] = [partitionOf(example), String(layoutIn(item))];
    const name = JSON.stringify([table, begins, what, layout]);
    const { count = 0, ...first } = found.get(name) ?? { table, begins, what, layout, example };
    found.set(name, { kind: "unknown", ...first, count: count + 1 });
  };
  return { look, all: (): readonly UnknownItems[] => [...found.values()] };
}
