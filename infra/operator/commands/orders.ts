/** Releases and ships orders of any account. */

import * as z from "zod/mini";
import type { Order } from "../../../shared/orders/order.ts";
import { findAnyOrder } from "../../../shared/orders/storage/order-repository.ts";
import { claimOrder, shipOrder } from "../../../shared/picking/picking-flows.ts";
import { reply } from "../cli/answer.ts";
import { type Commands, defineCommand } from "../cli/command.ts";
import { id, name, optional } from "../cli/fields.ts";
import { operatorContext, type Session } from "../cli/session.ts";

const stateOf = ({ order_id, order_number, status }: Order) => ({ order_id, order_number, status });

const statusOf = (order: Order) => reply(`Order ${order.order_id} is ${order.status}.`, stateOf(order));

async function statusNow({ db }: Session, { orderId }: { readonly orderId: number }) {
  const found = await findAnyOrder(db, orderId);
  return found && stateOf(found);
}

export const orders: Commands = [
  defineCommand({
    words: "orders release <order-id>",
    summary: "Changes a Pending order to Processing, without a picker",
    examples: ["orders release 1003"],
    values: z.object({ orderId: id }),
    changes: { record: statusNow },
    run: async ({ db }, { orderId }) => statusOf(await claimOrder(operatorContext(db), orderId, null)),
  }),
  defineCommand({
    words: "orders ship <order-id>",
    summary: "Changes a Processing order to Shipped, if it is picked completely",
    options: { "--tracking <number>": "tracking number", "--carrier <name>": "name of the carrier" },
    examples: ["orders ship 1003", 'orders ship 1003 --tracking "1Z 999" --carrier "Parcel Post"'],
    values: z.object({ orderId: id, tracking: optional(name), carrier: optional(name) }),
    changes: {
      warning: ({ orderId }) => `Order ${orderId} will become Shipped, and its goods leave the stock.`,
      record: statusNow,
    },
    run: async ({ db }, { orderId, tracking, carrier }) => {
      const dispatch = { ...(tracking && { tracking_number: tracking }), ...(carrier && { carrier }) };
      return statusOf(await shipOrder(operatorContext(db), orderId, dispatch, (shipped) => shipped));
    },
  }),
];
