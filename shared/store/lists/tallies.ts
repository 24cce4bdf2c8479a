import { dayOf } from "../../domain/days.ts";
import type { Database } from "../database.ts";
import { joined, type Key, padded } from "../keys.ts";
import { queryRange, type RawItem } from "../reads.ts";
import type { Count } from "../writes.ts";
import { blockOf } from "./block-list.ts";
import type { BlockList } from "./definitions.ts";
import type { Cell } from "./facets.ts";

/** How many records of each cell a block holds, and the days (UTC) between which they were created. */
export interface Tally {
  readonly block: number;
  readonly cells: ReadonlyMap<Cell, number>;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** The partition that keeps an owner's head and tallies of one list. */
export const ownerPartition = (list: BlockList, owner: string): string => joined(`${list.name}s-of`, owner);

export const tallyKey = (list: BlockList, owner: string, block: number): Key => ({
  pk: ownerPartition(list, owner),
  sk: joined("tally", padded(block)),
});

const counterPrefix = "n:";

/** The attribute of a tally item that every count changes, so that `rebuild.ts` sees whether it was counted meanwhile. */
export const revision = "revision";

/** The attribute of a tally item that counts a cell. */
export const counter = (cell: Cell): string => counterPrefix + cell;

/** An owner's tallies, by rising block: about 100 to 250 bytes each. */
export async function readTallies(db: Database, list: BlockList, owner: string): Promise<readonly Tally[]> {
  const items = await queryRange(db, {
    table: list.table,
    pk: ownerPartition(list, owner),
    between: [joined("tally", padded(0)), joined("tally", "~")],
  });
  return items.map((item, position) => parseTally(item, items[position + 1]));
}

/** Creation times rise with ids. So a block's records were created between its own lease and that of the next block. */
function parseTally(item: RawItem, next: RawItem | undefined): Tally {
  return {
    block: Number.parseInt(String(item["sk"]).slice("tally#".length), 10),
    cells: cellsOf(item),
    firstDay: leaseDay(item) ?? Number.NEGATIVE_INFINITY,
    lastDay: (next === undefined ? undefined : leaseDay(next)) ?? Number.POSITIVE_INFINITY,
  };
}

/** How many records of each cell a tally item counts. A cell that was emptied may be there with 0. */
export const cellsOf = (item: RawItem): ReadonlyMap<Cell, number> =>
  new Map(
    Object.entries(item).flatMap(([name, value]) =>
      name.startsWith(counterPrefix) && typeof value === "number"
        ? [[name.slice(counterPrefix.length), value] as const]
        : [],
    ),
  );

const leaseDay = ({ leased_at }: RawItem): number | undefined =>
  typeof leased_at === "string" ? dayOf(leased_at) : undefined;

/** Goes with the insert of a record, in its transaction. */
export const tallyInsert = (list: BlockList, owner: string, id: number, cell: Cell): Count => ({
  kind: "count",
  table: list.table,
  key: tallyKey(list, owner, blockOf(list, id)),
  add: { [counter(cell)]: 1, [revision]: 1 },
});

/**
 * Goes with the removal of a record, in its transaction. The removal needs the condition that the record is there:
 * of two removals at once, only one may count.
 */
export const tallyRemoval = (list: BlockList, owner: string, id: number, cell: Cell): Count => ({
  ...tallyInsert(list, owner, id, cell),
  add: { [counter(cell)]: -1, [revision]: 1 },
});

/** Goes with a change of a record's `cell`, in its transaction. */
export const tallyMove = (
  list: BlockList,
  owner: string,
  id: number,
  from: Cell,
  to: Cell,
): readonly Count[] =>
  from === to
    ? []
    : [
        {
          kind: "count",
          table: list.table,
          key: tallyKey(list, owner, blockOf(list, id)),
          add: { [counter(from)]: -1, [counter(to)]: 1, [revision]: 1 },
        },
      ];
