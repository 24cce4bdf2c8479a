/** What items say about stock. Their sums come to 0 if stock is right (`balance.ts`). */
import * as z from "zod/mini";
import { unitsIn } from "../../../../shared/stock/bins/layers.ts";
import { hold } from "../../../../shared/stock/holds/hold.ts";
import { weeksOf } from "../../../../shared/stock/movements/read-movements.ts";
import type { RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import {
  binContentList,
  orderList,
  productList,
  replenishmentList,
  stockList,
} from "../../../../shared/store/lists/definitions.ts";
import type { Fact, Facts, ListItem } from "../comparator.ts";
import type { Scope } from "../scope.ts";
import type { ClaimSums, Figures } from "./balance.ts";
import { expectedIn } from "./book-repairs.ts";
import { movementIn } from "./movement-sums.ts";
import { claimsOfHold, claimsOfOrder, claimsOfReplenishment } from "./open-claims.ts";
import type { BookedBin } from "./stock-books.ts";

/** The facts about products, by id. A product has a stock record, and stock has a product. */
export const stockFacts = ({ hasProduct }: Pick<Scope, "hasProduct">): Facts<number> => ({
  lists: [productList, stockList, binContentList, orderList, replenishmentList],
  ofListItem: (one) => factsOf(one, hasProduct),
  ofItems: [
    {
      table: stockList.table,
      kind: "movement",
      facts: (item) => (hasProduct(productOfMovement(item)) ? factsOfMovement(item) : []),
    },
    {
      table: "jobs",
      kind: "hold",
      facts: (item) => factsOfHold(item, hasProduct),
    },
  ],
});

const product = (id: number) => ({ kind: "product", id });
const stockRecord = (id: number) => ({ kind: "stock", id });

/** Units, or movements of a week, that a product has in a center by one source, less those by another. */
function* parts(productId: number, center: number, figures: Readonly<Record<string, number>>) {
  for (const [name, by] of Object.entries(figures))
    if (by !== 0) yield { sum: `${productId} ${center} ${name}`, by, subject: productId };
}

function* factsOf(
  { list, key, item, bin, record }: ListItem,
  hasProduct: Scope["hasProduct"],
): Generator<Fact<number>, void> {
  const [id = 0, center = 0] = key.sk.split("#").map(Number);
  if (list === productList) {
    yield { has: product(id) };
    yield { needs: stockRecord(id), subject: id };
  }
  // A shard does not name its account.
  if (list === stockList && (item["cell"] !== undefined || hasProduct(id)))
    yield* factsOfStock(item, id, center);
  if (bin !== undefined) yield* factsOfBin(bin);
  if (record?.order !== undefined) yield* factsOfClaims(claimsOfOrder(record.order));
  if (record !== undefined && list === replenishmentList)
    yield* factsOfClaims(claimsOfReplenishment(item, record.facetKey));
}

function* factsOfStock(item: RawItem, id: number, center: number): Generator<Fact<number>, void> {
  if (item["cell"] !== undefined) {
    yield { has: stockRecord(id) };
    yield { needs: product(id), subject: id };
  }
  const units = (name: keyof Figures): number => (typeof item[name] === "number" ? item[name] : 0);
  const [on_hand, reserved, incoming] = [units("on_hand"), units("reserved"), units("incoming")];
  const moved = { "moved on_hand": on_hand, "moved reserved": reserved };
  yield* parts(id, center, { on_hand, reserved, held: units("held"), incoming, ...moved });
  for (const [week, count] of weeksOf([item])) yield* parts(id, center, { [`week ${week}`]: count });
}

function* factsOfBin(bin: BookedBin): Generator<Fact<number>, void> {
  const { product_id, distribution_center_id, quantity, expected, layers } = bin.content;
  yield* parts(product_id, distribution_center_id, { on_hand: -quantity });
  if (quantity < 0 || expected !== expectedIn(bin) || unitsIn(layers) > quantity)
    yield { suspect: product_id };
}

const productOfMovement = ({ pk }: RawItem): number => Number(String(pk).split("#")[1]);

/** The product of an unreadable movement is known from its partition. */
function* factsOfMovement(item: RawItem): Generator<Fact<number>, void> {
  const moved = movementIn(item);
  if (moved === undefined) return yield { suspect: productOfMovement(item) };
  const { product_id, distribution_center_id, on_hand, reserved, week } = moved;
  const figures = { "moved on_hand": -on_hand, "moved reserved": -reserved, [`week ${week}`]: -1 };
  yield* parts(product_id, distribution_center_id, figures);
}

/** An unreadable hold is known only by what then seems to be held too much. */
function* factsOfHold(item: RawItem, hasProduct: Scope["hasProduct"]): Generator<Fact<number>, void> {
  const { success, data } = z.safeParse(hold, item);
  if (success && data.goods.some(({ product_id }) => hasProduct(product_id)))
    yield* factsOfClaims(claimsOfHold(data));
}

function* factsOfClaims(claims: ClaimSums): Generator<Fact<number>, void> {
  for (const { product_id, distribution_center_id, reserved, held, picked, incoming } of claims.places())
    yield* parts(product_id, distribution_center_id, {
      on_hand: -picked,
      reserved: -reserved,
      held: -held,
      incoming: -incoming,
    });
}
