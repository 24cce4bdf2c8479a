/** How many different products an order may have, and a kit. */

import { type NewProduct, newProducts } from "../../support/business/world.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { orderOf, synsetOf } from "../../support/records/records.ts";
import { type Deployment, deployed } from "./deployment.ts";
import type { Part } from "./figures.ts";

const [maxInOrder, maxInKit] = [500, 100];

export const large: Part = (print) =>
  deployed({ paused: true }, async (deployment) => {
    const { oms } = deployment;
    const products: NewProduct[] = [];
    while (products.length < maxInOrder) products.push(...(await newProducts(deployment, 100)));
    const linesOf = (count: number) => products.slice(0, count).map(({ sku }) => ({ sku, quantity: 1 }));

    const order = await largest(maxInOrder, print, (count) =>
      oms.post("/orders", { data: [orderOf(linesOf(count))] }),
    );
    const reserved = await reservedOf(deployment, products);
    const kit = await largest(maxInKit, print, (count) =>
      oms.post("/inventory/synsets", { data: [synsetOf(linesOf(count))] }),
    );
    const isExact = reserved === order.accepted && order.items === order.largest;
    return [
      {
        figure: "different products in one order",
        goal: `${maxInOrder}`,
        found: `${order.largest}; reservations ${isExact ? "exact" : `WRONG (${reserved})`}`,
        held: order.largest >= maxInOrder && isExact,
      },
      {
        figure: "components in a synset",
        goal: `${maxInKit}`,
        found: `${kit.largest}`,
        held: kit.largest >= maxInKit,
      },
    ];
  });

interface Largest {
  readonly largest: number;
  /** How many items the largest record has. */
  readonly items: number;
  /** How many items all accepted records have together. */
  readonly accepted: number;
}

/** Finds the largest count that is accepted, at most `goal`: the goal itself, else by halving. */
async function largest(
  goal: number,
  print: (line: string) => void,
  post: (count: number) => Promise<Answer>,
): Promise<Largest> {
  let found: Largest = { largest: 0, items: 0, accepted: 0 };
  for (let [count, refused] = [goal, goal + 1]; refused - found.largest > 1; ) {
    const { status, body } = await post(count);
    if (status === 200) {
      const items = listAt(body, "data.0.items").length;
      found = { largest: count, items, accepted: found.accepted + count };
    } else {
      refused = count;
      print(`${count}: ${JSON.stringify(body).slice(0, 160)}`);
    }
    count = Math.floor((found.largest + refused) / 2);
  }
  return found;
}

async function reservedOf({ oms }: Deployment, products: readonly NewProduct[]): Promise<number> {
  const skus = new Set<unknown>(products.map(({ sku }) => sku));
  const { body } = await oms.get("/inventory/stock?per_page=1000");
  return listAt(body, "data")
    .map((level) => ({ sku: at(level, "sku"), reserved: numberAt(level, "reserved") }))
    .filter(({ sku }) => skus.has(sku))
    .reduce((sum, { reserved }) => sum + reserved, 0);
}
