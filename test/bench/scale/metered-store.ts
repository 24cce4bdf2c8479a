/**
 * A store in memory that takes many items at once, and adds up read units as DynamoDB charges them: of a
 * query for all that it reads, in steps of 4 KB, of other reads for each item; half of it if a read may be
 * stale.
 */
import { marshall } from "@aws-sdk/util-dynamodb";
import { tableSchemas } from "../../../shared/store/tables.ts";
import type { Item } from "../../simulation/store/expressions.ts";
import { MemoryStore } from "../../simulation/store/store.ts";
import { keyOf, Table } from "../../simulation/store/table.ts";
import { bytesOfItem, compareTexts } from "../../simulation/store/values.ts";

const inventory = "inventory";

const unitsOf = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);

const bytesOf = (items: readonly Item[]): number => items.reduce((sum, item) => sum + bytesOfItem(item), 0);

export class MeteredStore extends MemoryStore {
  units = 0;
  #filled: Table | undefined;

  /** Adds items to the table of stock. Its earlier items stay. */
  fill(items: readonly object[]): void {
    const all = [...this.table(inventory).all, ...items.map((item) => marshall(item))];
    const partitions = [...Map.groupBy(all, (item) => keyOf(item).pk)].map(
      ([pk, own]) =>
        [pk, own.toSorted((left, right) => compareTexts(keyOf(left).sk, keyOf(right).sk))] as const,
    );
    this.#filled = new Table(tableSchemas[inventory], new Map(partitions));
  }

  override table(name: string): Table {
    return (name === inventory ? this.#filled : undefined) ?? super.table(name);
  }

  override call(...[command, input]: Parameters<MemoryStore["call"]>): ReturnType<MemoryStore["call"]> {
    const answer = super.call(command, input);
    const isConsistent = "ConsistentRead" in input && input.ConsistentRead === true;
    if (command === "Query" && "Items" in answer)
      this.units += unitsOf(bytesOf(answer.Items ?? []), isConsistent);
    else if (command === "GetItem" && "Item" in answer)
      this.units += unitsOf(bytesOf([answer.Item ?? {}]), isConsistent);
    else if (command === "BatchGetItem" && "RequestItems" in input)
      for (const [name, { Keys = [], ConsistentRead }] of Object.entries(input.RequestItems ?? {}))
        for (const key of Keys) {
          if (!("pk" in key)) continue;
          const item = this.table(name).get(keyOf(key));
          this.units += unitsOf(bytesOf(item === undefined ? [] : [item]), ConsistentRead === true);
        }
    return answer;
  }
}
