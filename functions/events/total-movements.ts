import { stockList } from "../../shared/catalog/products/product-lists.ts";
import { movementPrefix } from "../../shared/stock/movements/movement-repository.ts";
import { totalChanges } from "../../shared/stock/past/total-movements.ts";
import { defineStream } from "../../shared/streams/stream.ts";

/** Adds running totals to movements, from which stock of past moments is read. */
export const { stream, handler } = defineStream(
  {
    changesOf: { inventory: [movementPrefix] },
    access: { inventory: { [movementPrefix]: ["read", "change"], [`${stockList.name}#`]: "read" } },
    sends: [],
  },
  () =>
    ({ db, changes }) =>
      totalChanges(db, changes, new Date().toISOString()),
);
