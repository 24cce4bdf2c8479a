/** The operator's commands for orders, of any account. */
import type { Order } from "../../shared/domain/orders/order.ts";
import { claimOrder, shipOrder } from "../../shared/operations/advance-order.ts";
import { noForesight } from "../../shared/operations/context.ts";
import type { Database } from "../../shared/store/database.ts";
import { type CommandGroup, name, number } from "./command.ts";

const context = (db: Database) => ({
  db,
  actor: "operator",
  now: new Date().toISOString(),
  foresee: noForesight,
});

const became = ({ order_id, status }: Order): string => `Order ${order_id} is ${status}.`;

export const orderCommands: CommandGroup = {
  // A large order is stored in steps, which lie beside the jobs.
  tables: ["orders", "inventory", "tallies", "directory", "jobs"],
  commands: {
    "release-order": async (db, [orderId]) =>
      became(await claimOrder(context(db), number(orderId, "ORDER_ID"), null)),
    "ship-order": async (db, [orderId, tracking, carrier]) => {
      const id = number(orderId, "ORDER_ID");
      const dispatch = {
        ...(tracking ? { tracking_number: name(tracking, "TRACKING") } : {}),
        ...(carrier ? { carrier: name(carrier, "CARRIER") } : {}),
      };
      return became(await shipOrder(context(db), id, dispatch, (shipped) => shipped));
    },
  },
};
