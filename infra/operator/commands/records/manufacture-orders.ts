/** Manufacture orders, which operators create for accounts. */
import * as z from "zod/mini";
import { maxQuantity, quantity } from "../../../../shared/common/fields.ts";
import { manufactureStatuses } from "../../../../shared/registries/manufacture/manufacture-order.ts";
import { findManufactureNumber } from "../../../../shared/registries/manufacture/manufacture-repository.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { date, id, name, number, oneOf, optional } from "../../cli/fields.ts";
import { reply } from "../../cli/result.ts";
import { putManufactureOrder } from "../../set-up/manufacture.ts";

export const manufactureOrders: Commands = [
  defineCommand({
    words: "manufacture-orders put <account> <number> <sku> <quantity>",
    summary: "Creates a manufacture order, or overwrites the one with this number",
    options: {
      "--status <status>": `${manufactureStatuses.join(", ")} (default: Pending)`,
      "--due-date <date>": "date such as 2026-01-31",
    },
    examples: [
      "manufacture-orders put 100 MO-1 LAMP 50",
      "manufacture-orders put 100 MO-1 LAMP 50 --status Processing --due-date 2026-12-01",
    ],
    values: z.object({
      account: id,
      number: name,
      sku: name,
      quantity: number(quantity, `a whole number from 1 to ${maxQuantity}`),
      status: optional(oneOf(manufactureStatuses)),
      dueDate: optional(date),
    }),
    changes: {
      record: async ({ db }, { account, number: sought }) =>
        (await findManufactureNumber(db, account, sought))?.record,
    },
    run: async ({ db }, { account, number: manufacture_number, status = "Pending", dueDate, ...terms }) => {
      const due_date = dueDate ?? null;
      const order = await putManufactureOrder(db, account, {
        ...terms,
        manufacture_number,
        status,
        due_date,
      });
      return reply(
        `Manufacture order ${order.manufacture_id} (${order.manufacture_number}) is ${order.status}.`,
        order,
      );
    },
  }),
];
