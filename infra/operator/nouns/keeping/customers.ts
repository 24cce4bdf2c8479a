/** Erases personal data of orders. */
import * as z from "zod/mini";
import type { Lookup } from "../../../../shared/store/dynamodb/reads.ts";
import { reply } from "../../cli/answer.ts";
import { defineCommand, type Noun } from "../../cli/command.ts";
import { email, id, optional } from "../../cli/fields.ts";
import { Usage } from "../../cli/outcome.ts";
import { orderTables } from "../../cli/session.ts";
import { type ErasedOrder, eraseCustomers, ordersWithEmail } from "../../erase/erase-customers.ts";

/** How long a stream may take to publish a change. */
const waitMs = 60_000;

const maxOrders = 1000;

const lineOf = ({ order_id, outcome, reason }: ErasedOrder): string =>
  outcome === "refused"
    ? `Order ${order_id} is left as it is: ${reason}`
    : outcome === "unpublished"
      ? `Order ${order_id} is erased, but its changes are not published yet: run this again for it later`
      : `Order ${order_id} is ${outcome}`;

export const customers: Noun = {
  name: "customers",
  summary: "Personal data of orders",
  commands: [
    defineCommand({
      words: "erase [orders...]",
      summary: "Erases the names, email, phone and address of orders that are Shipped or Cancelled",
      about: [
        "ORDERS are order_ids. What the service keeps of an order loses its customer: the order, its events, what receivers answered",
        "to them, and answers for an Idempotency-Key. The order, its goods and its figures stay, and the country. The version of the",
        "order rises, and its account gets an event order.updated. It scans the tables of jobs and webhooks, and with --email that of",
        "orders.",
        "Backups, restored tables, streams and receivers keep what they have: see docs/operators/day-to-day.md. If it is",
        "interrupted, run it again with the orders that it has named.",
      ],
      options: {
        "--email <address>": "all orders with this email address, of all accounts",
        "--account <id>": "with --email: only orders of this account",
      },
      examples: ["customers erase 1003 1004", "customers erase --email grace@example.com --account 100"],
      tables: [...orderTables, "events", "webhooks"],
      values: z
        .object({ orders: z._default(z.array(id), []), email: optional(email), account: optional(id) })
        .check(
          z.refine(({ orders, email: address }) => (address === undefined) !== (orders.length === 0), {
            path: ["orders"],
            error: "or --email must be stated, and not both",
          }),
          z.refine(({ email: address, account }) => account === undefined || address !== undefined, {
            path: ["account"],
            error: "goes with --email",
          }),
        ),
      changes: {
        warning: ({ orders, email: address }) =>
          `The customers of ${address === undefined ? `orders ${orders.join(", ")}` : `all orders with the email address ${address}`} will be erased.`,
        // The log of changes holds no data of customers.
        logged: ({ email: address, ...values }) => ({ ...values, ...(address && { email: "not kept" }) }),
      },
      run: async ({ db, note, progress }, { orders, email: address, account }) => {
        const unreadable = new Set<string>();
        const onUnreadable = ({ table, key }: Lookup) => {
          const item = `${table} ${key.pk} ${key.sk}`;
          if (!unreadable.has(item)) note(`An item can't be read and stays as it is: ${item}`);
          unreadable.add(item);
        };
        const ids =
          address === undefined ? orders : await ordersWithEmail(db, address, account, onUnreadable);
        if (ids.length > maxOrders)
          throw new Usage(`${ids.length} orders are more than the ${maxOrders} of one run`);
        if (address !== undefined) note(`Orders with this email address: ${ids.join(" ") || "none"}`);
        const bar = progress("Orders", ids.length);
        const options = { waitMs, advance: bar.advance, onUnreadable };
        const erasure = await eraseCustomers(db, ids, options).finally(bar.stop);
        const { events, set_aside, deliveries, answers } = erasure.copies;
        const text = [
          ...erasure.orders.map(lineOf),
          `Erased copies: in the feed ${events}, set aside ${set_aside}, answers of receivers ${deliveries}, kept answers ${answers}.`,
        ].join("\n");
        const isDone =
          unreadable.size === 0 && erasure.orders.every(({ outcome }) => outcome.startsWith("erased"));
        return { ...reply(text, erasure), ends: isDone ? undefined : "findings" };
      },
    }),
  ],
};
