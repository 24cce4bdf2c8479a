/** What items say about stock (`figures.ts`), for the comparator: the sums come to 0 if stock is right. */
import * as z from "zod/mini";
import { binContentList, productList, stockList } from "../../../../shared/catalog/products/product-lists.ts";
import { replenishmentList } from "../../../../shared/inbound/inbound-repository.ts";
import { orderList } from "../../../../shared/orders/storage/order-repository.ts";
import { unitsIn } from "../../../../shared/stock/bins/layers.ts";
import { hold } from "../../../../shared/stock/holds/hold.ts";
import type { RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import type { Fact, Facts, ListItem } from "../comparator.ts";
import { idInPartition } from "../reading.ts";
import type { Scope } from "../scope.ts";
import { type BookedBin, movementIn } from "./books.ts";
import { expectedIn } from "./faults.ts";
import {
  type Part,
  partsOfBin,
  partsOfHold,
  partsOfMovement,
  partsOfOrder,
  partsOfReplenishment,
  partsOfStock,
} from "./figures.ts";

/** The facts about products, by id. A product has a stock record, and stock has a product. */
export const stockFacts = ({ hasProduct }: Pick<Scope, "hasProduct">): Facts<number> => ({
  lists: [productList, stockList, binContentList, orderList, replenishmentList],
  ofListItem: (one) => factsOf(one, hasProduct),
  ofItems: [
    {
      table: stockList.table,
      kind: "movement",
      isVerified: (item) => hasProduct(idInPartition(item)),
      facts: factsOfMovement,
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

/** A level is compared with the records, and with the movements if it has any of the figure. */
function* factsOfParts(parts: readonly Part[]): Generator<Fact<number>, void> {
  for (const { product_id: subject, distribution_center_id, figure, source, units } of parts) {
    if (units === 0) continue;
    const sum = `${subject} ${distribution_center_id} ${figure}`;
    const by = source === "level" ? units : -units;
    if (source !== "movements" && !figure.startsWith("week")) yield { sum, by, subject };
    if (source !== "records" && figure !== "held" && figure !== "incoming")
      yield { sum: `moved ${sum}`, by, subject };
  }
}

function* factsOf(
  { list, key, item, bin, record }: ListItem,
  hasProduct: Scope["hasProduct"],
): Generator<Fact<number>, void> {
  const id = Number.parseInt(key.sk, 10);
  if (list === productList) {
    yield { has: product(id) };
    yield { needs: stockRecord(id), subject: id };
  }
  if (list === stockList && item["cell"] !== undefined) {
    yield { has: stockRecord(id) };
    yield { needs: product(id), subject: id };
  }
  // A shard does not name its account.
  if (list === stockList && (item["cell"] !== undefined || hasProduct(id)))
    yield* factsOfParts(partsOfStock(item));
  if (bin !== undefined) yield* factsOfBin(bin);
  if (record?.order !== undefined) yield* factsOfParts(partsOfOrder(record.order));
  if (record?.replenishment !== undefined) yield* factsOfParts(partsOfReplenishment(record.replenishment));
}

function* factsOfBin(bin: BookedBin): Generator<Fact<number>, void> {
  const { product_id, quantity, expected, layers } = bin.content;
  yield* factsOfParts(partsOfBin(bin.content));
  if (quantity < 0 || expected !== expectedIn(bin) || unitsIn(layers) > quantity)
    yield { suspect: product_id };
}

/** The product of an unreadable movement is known from its partition. */
function* factsOfMovement(item: RawItem): Generator<Fact<number>, void> {
  const moved = movementIn(item);
  if (moved === undefined) yield { suspect: idInPartition(item) };
  else yield* factsOfParts(partsOfMovement(moved));
}

/** An unreadable hold is known only by what then seems to be held too much. */
function* factsOfHold(item: RawItem, hasProduct: Scope["hasProduct"]): Generator<Fact<number>, void> {
  const { success, data } = z.safeParse(hold, item);
  if (success && data.goods.some(({ product_id }) => hasProduct(product_id)))
    yield* factsOfParts(partsOfHold(data));
}
