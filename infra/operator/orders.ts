/** The operator's commands for orders, of any account. */
import type { Order } from "../../shared/domain/orders/order.ts";
import { claimOrder, shipOrder } from "../../shared/operations/advance-order.ts";
import { type CommandGroup, name, number } from "./command.ts";

const context = () => ({ actor: "operator", now: new Date().toISOString() });

const became = ({ order_id, status }: Order): string => `Order ${order_id} is ${status}.`;

export const orderCommands: CommandGroup = {
  tables: ["orders", "inventory"],
  commands: {
    "release-order": async (db, [orderId]) =>
      became(await claimOrder(db, context(), number(orderId, "ORDER_ID"), null)),
    "ship-order": async (db, [orderId, tracking]) => {
      const id = number(orderId, "ORDER_ID");
      return became(await shipOrder(db, context(), id, tracking ? name(tracking, "TRACKING") : null));
    },
  },
};
