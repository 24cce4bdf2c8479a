import type { Order } from "../domain/orders/order.ts";
import type { Write } from "../store/writes.ts";
import { putBack } from "./bins.ts";
import { freeSerials } from "./serials.ts";

/** Puts back what was picked for the order. Its serials can be picked again; only the order itself could free them. */
export const putBackPicks = ({ order_id, picks }: Order): readonly Write[] =>
  picks.flatMap((pick) => [
    putBack(pick),
    ...freeSerials(pick.product_id, pick.serials, order_id).map((write) => ({ ...write, own: true })),
  ]);
