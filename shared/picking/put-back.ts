import type { Order } from "../orders/order.ts";
import { freeSerials } from "../serials/serial-repository.ts";
import { putBack } from "../stock/bins/bin-repository.ts";
import type { Write } from "../store/dynamodb/writes.ts";

/** Puts back what was picked for the order. Its serials can be picked again; only the order itself could free them. */
export const putBackPicks = ({ order_id, picks }: Order): readonly Write[] =>
  picks.flatMap((pick) => [
    putBack(pick),
    ...freeSerials(pick.product_id, pick.serials, order_id).map((write) => ({ ...write, own: true })),
  ]);
