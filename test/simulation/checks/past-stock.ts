/** Whether the stock of a moment is what the movements up to it add up to, without holds that had ended. */
import { unmarshall } from "@aws-sdk/util-dynamodb";
import * as z from "zod";
import { parseHold } from "../../../shared/stock/holds/hold-repository.ts";
import type { Item } from "../store/expressions.ts";
import type { MemoryStore } from "../store/store.ts";
import { type ItemKey, keyOf } from "../store/table.ts";
import type { History, PastRead } from "../workload/history.ts";
import { itemsOf } from "./bins.ts";
import { type Finding, findings } from "./finding.ts";
import { stockLevel } from "./stored.ts";

const answer = z.object({ data: z.array(stockLevel.omit({ incoming: true })) });
type Level = z.output<typeof answer>["data"][number];

/** What counts in the stock of every moment from `at` on. */
const part = z.object({
  product_id: z.int(),
  distribution_center_id: z.int(),
  at: z.string(),
  on_hand: z.int(),
  reserved: z.int(),
});
type Part = z.output<typeof part>;

const isHold = ({ pk }: ItemKey): boolean => pk.startsWith("hold#");
const hasParts = (key: ItemKey): boolean => isHold(key) || key.pk.startsWith("movement#");

/** A movement, or what a hold gives back when it ends. */
function partsOf(item: Item): readonly Part[] {
  const stored = unmarshall(item);
  if (!isHold(keyOf(item))) return [part.parse(stored)];
  const { goods, quantity, check_at: at } = parseHold(stored);
  return goods.map((one) => ({ ...one, at, on_hand: 0, reserved: -one.quantity * quantity }));
}

/** The movements and holds that are stored, change by change. */
class Parts {
  readonly #parts = new Map<string, readonly Part[]>();

  constructor(items: readonly Item[]) {
    for (const item of items) this.store(keyOf(item), item);
  }

  store(key: ItemKey, item: Item | undefined): void {
    if (hasParts(key)) this.#parts.set(`${key.pk} ${key.sk}`, item === undefined ? [] : partsOf(item));
  }

  /** Whether a level is the sum of the parts up to a moment. */
  addUpTo(level: Level, centerId: number, as_of: string): boolean {
    const counted = [...this.#parts.values()]
      .flat()
      .filter(
        (one) =>
          one.product_id === level.product_id && one.distribution_center_id === centerId && one.at <= as_of,
      );
    const sum = (name: "on_hand" | "reserved") => counted.reduce((total, one) => total + one[name], 0);
    return sum("on_hand") === level.on_hand && sum("reserved") === level.reserved;
  }
}

export function pastStockFaults({ pastReads, world }: History, start: MemoryStore): readonly Finding[] {
  const { store } = world;
  const centers = new Map(
    itemsOf(store, "inventory", "stock").map((item) => [
      item["distribution_center"]?.S,
      Number(item["distribution_center_id"]?.N),
    ]),
  );
  /** The levels of an answer that were right at no time between its call and its answer. */
  const wrongLevels = ({ as_of, body, before, after }: PastRead): readonly string[] => {
    const parts = new Parts([...itemsOf(start, "inventory", "movement"), ...itemsOf(start, "jobs", "hold")]);
    for (const { key, after: item } of store.changes.slice(0, before)) parts.store(key, item);
    const isWrong = (level: Level) =>
      !parts.addUpTo(level, centers.get(level.distribution_center) ?? 0, as_of);
    let wrong = answer.parse(JSON.parse(body)).data.filter(isWrong);
    for (const { key, after: item } of store.changes.slice(before, after)) {
      parts.store(key, item);
      wrong = wrong.filter(isWrong);
    }
    return wrong.map((level) => `as of ${as_of}: ${JSON.stringify(level)}`);
  };
  return findings("past stock adds up", pastReads.flatMap(wrongLevels));
}
