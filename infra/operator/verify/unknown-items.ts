/** Items that this release does not store, or whose layout it can't read: no other check reads them. */
import { isReadable, kindOf, partitionOf } from "../../../shared/data-model/kinds.ts";
import { keyIn } from "../../../shared/store/dynamodb/keys.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { layoutIn, toBeMoved } from "../../../shared/store/layouts/layouts.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import { isInScope, type UnknownItems, type Verification } from "./finding.ts";

export class UnknownItemsFound {
  readonly #verification: Pick<Verification, "db" | "accountId">;
  readonly #found = new Map<string, UnknownItems>();

  constructor(verification: Pick<Verification, "db" | "accountId">) {
    this.#verification = verification;
  }

  /** Counts an item if it is unknown, by its keys and its layout, unless it names another account. */
  look(table: TableName, item: RawItem): void {
    const key = keyIn(item);
    const { layouts } = this.#verification.db;
    const { account_id: account } = item;
    if (typeof account === "number" && !isInScope(this.#verification, account)) return;
    if (kindOf(table, key) === undefined) this.#count(table, item, "kind");
    else if (!isReadable(layouts, table, key, layoutIn(item))) this.#count(table, item, "layout");
    else if (layouts.isReached() && toBeMoved(layouts, table, item) !== undefined)
      this.#count(table, item, "left");
  }

  #count(table: TableName, item: RawItem, what: UnknownItems["what"]): void {
    const example = keyIn(item);
    const [begins, layout] = [partitionOf(example), String(layoutIn(item))];
    const name = JSON.stringify([table, begins, what, layout]);
    const { count = 0, ...first } = this.#found.get(name) ?? { table, begins, what, layout, example };
    this.#found.set(name, { kind: "unknown", ...first, count: count + 1 });
  }

  all(): readonly UnknownItems[] {
    return [...this.#found.values()];
  }
}
