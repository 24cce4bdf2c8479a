/** Why an order has not shipped: what it waits for. */
import type { Order } from "../../../../shared/orders/order.ts";
import { unpickedUnits, workOf } from "../../../../shared/orders/order-status.ts";
import { orderLookup } from "../../../../shared/orders/storage/order-repository.ts";
import { available, stockKeyText } from "../../../../shared/stock/stock.ts";
import { readLevels } from "../../../../shared/stock/stock-levels.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute } from "../../../../shared/store/dynamodb/writes.ts";

/** Something that an order waits for, or `nothing` more. */
export interface Waiting {
  readonly for: "saga" | "goods" | "picker" | "picks" | "quality_control" | "nothing";
  readonly text: string;
}

export async function explainOrder(db: Database, order: Order): Promise<readonly Waiting[]> {
  const item = await getItem(db, orderLookup(order.order_id));
  const saga = item?.[sagaAttribute];
  const text = `A change of the order is in progress (${saga}); it is resumed every minute.`;
  const change = saga === undefined ? [] : [{ for: "saga", text } as const];
  return [...change, ...(await workLeft(db, order))];
}

async function workLeft(db: Database, order: Order): Promise<readonly Waiting[]> {
  const work = workOf(order);
  const goods = await shortGoods(db, order);
  switch (work?.stage) {
    case undefined: {
      const since = order.shipped_at ?? order.cancelled_at;
      return [{ for: "nothing", text: `The order is ${order.status} since ${since}.` }];
    }
    case "pending":
      return [
        ...goods,
        { for: "picker", text: `The order waits for a picker, or for a release, since ${order.created_at}.` },
      ];
    case "released":
      return [...goods, { for: "picker", text: "The order is released, and waits for a picker." }];
    case "picking":
      return [...goods, ...picksLeft(order, work.picker)];
    case "picked": {
      const weight = order.weight === null ? "its weight is not known" : `its weight is ${order.weight}`;
      return [
        { for: "quality_control", text: `The order is picked, and waits for quality control; ${weight}.` },
      ];
    }
  }
}

const picksLeft = (order: Order, picker: string): readonly Waiting[] =>
  goodsLeft(order).map(({ sku, left }) => ({
    for: "picks",
    text: `${picker} still has to pick ${left} of ${sku}.`,
  }));

function goodsLeft(order: Order) {
  const open = unpickedUnits(order);
  return [...Map.groupBy(order.items, stockKeyText)].flatMap(([key, [item]]) => {
    const left = open.get(key) ?? 0;
    return item === undefined || left <= 0 ? [] : [{ ...item, left }];
  });
}

/** Goods of which more are reserved than there are; goods that are picked are not missed. */
async function shortGoods(db: Database, order: Order): Promise<readonly Waiting[]> {
  const wanted = goodsLeft(order);
  const levelAt = await readLevels(db, wanted);
  return wanted.flatMap((item): readonly Waiting[] => {
    const level = levelAt(item);
    if (level === undefined || available(level) >= 0) return [];
    const { on_hand, reserved, incoming, distribution_center } = level;
    const text =
      `${item.sku} is short in ${distribution_center}: the order needs ${item.left}, ` +
      `on hand ${on_hand}, reserved for all orders ${reserved}, incoming ${incoming}.`;
    return [{ for: "goods", text }];
  });
}
