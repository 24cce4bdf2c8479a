/** Shows, explains, releases and ships orders of any account. */
import * as z from "zod/mini";
import { endpoint as list } from "../../../../functions/oms/orders/list-orders.ts";
import { forEachConcurrently } from "../../../../shared/common/concurrency.ts";
import { parseId } from "../../../../shared/common/fields.ts";
import { notFound } from "../../../../shared/common/problem.ts";
import { findOrderBy, orderIdentities } from "../../../../shared/orders/find-order.ts";
import { type Order, orderStatuses, statusIds } from "../../../../shared/orders/order.ts";
import { presentOrderWithHistory } from "../../../../shared/orders/order-view.ts";
import { readHistory } from "../../../../shared/orders/storage/order-history-repository.ts";
import {
  orders as orderRepository,
  type StoredOrder,
} from "../../../../shared/orders/storage/order-repository.ts";
import { claimOrder, shipOrder } from "../../../../shared/picking/picking-flows.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { anyOwner } from "../../../../shared/store/lists/repository.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { type CommandContext, operatorContext } from "../../cli/context.ts";
import { flag, id, limit, name, oneOf, optional } from "../../cli/fields.ts";
import { listed, reply, whole } from "../../cli/result.ts";
import { readAccounts } from "../../set-up/accounts.ts";
import { recordsOf, unreadableTo } from "./answers.ts";
import { explainOrder } from "./explain-order.ts";

const named = z.object({ order: name, account: optional(id) });

const namedAbout = [
  "ORDER is an order_id. With --account, it can also be the order_number, order_reference or order_api of an order of that",
  "account.",
];

const ofAccount = { "--account <id>": "the account whose order it is" };

/** @throws Problem `not_found` */
async function orderNamed(db: Database, { order, account }: z.output<typeof named>): Promise<StoredOrder> {
  const orderId = parseId(order);
  if (account === undefined) {
    const found = orderId === undefined ? undefined : await orderRepository.find(db, anyOwner, orderId);
    if (found === undefined)
      throw notFound(
        `There is no order with order_id ${order}. To find an order by its number, add --account`,
      );
    return found;
  }
  for (const by of orderIdentities) {
    const found = await findOrderBy({ db, account_id: account }, by, order);
    if (found !== undefined) return found;
  }
  throw notFound(`Account ${account} has no order ${order}`);
}

const stateOf = ({ order_id, order_number, status }: Order) => ({ order_id, order_number, status });

const statusOf = (order: Order) => reply(`Order ${order.order_id} is ${order.status}.`, stateOf(order));

async function statusNow({ db }: CommandContext, { orderId }: { readonly orderId: number }) {
  const found = await orderRepository.find(db, anyOwner, orderId);
  if (found === undefined) throw notFound(`There is no order with order_id ${orderId}`);
  return stateOf(found.record);
}

export const orders: Commands = [
  defineCommand({
    words: "orders list",
    summary: "Lists orders, the newest first",
    about: [
      "Without --account, it lists the newest orders of all accounts, and requires dynamodb:Scan.",
      "An order that can't be read is named and left out, and the status is 5.",
    ],
    options: {
      "--account <id>": "only orders of this account",
      "--status <status>": `only orders that are ${orderStatuses.join(", ")}`,
      "--limit <number>": "maximum number of orders, 1 to 1000 (default: 20)",
    },
    examples: ["orders list --account 100 --status Pending", "orders list --json"],
    values: z.object({
      account: optional(id),
      status: optional(oneOf(orderStatuses)),
      limit: optional(limit),
    }),
    run: async ({ db, note }, { account, status, limit: most = 20 }) => {
      const unreadable = unreadableTo(note);
      const ids = account === undefined ? (await readAccounts(db)).map((one) => one.account_id) : [account];
      const query = { order_direction: "desc", ...(status && { status_id: String(statusIds[status]) }) };
      const found: Pick<Order, "created_at" | "order_id">[] = [];
      const asked = { query, most, onUnreadable: unreadable.leaveOut };
      await forEachConcurrently(ids, async (account_id) => {
        for await (const one of recordsOf(db, account_id, list, asked)) {
          const { order_id, order_number, status: is, created_at, updated_at, items } = one;
          const lines = items.length;
          const order = { account_id, order_id, order_number, status: is, created_at, updated_at, lines };
          found.push(order);
        }
      });
      const newest = found.toSorted(
        (left, right) => right.created_at.localeCompare(left.created_at) || right.order_id - left.order_id,
      );
      return { ...listed(newest.slice(0, most), "There is no such order."), ends: unreadable.ends() };
    },
  }),
  defineCommand({
    words: "orders show <order>",
    summary: "Shows an order with its history, without its customer",
    about: namedAbout,
    options: { ...ofAccount, "--customer": "also show the customer" },
    examples: ["orders show 1003", "orders show DEMO-1 --account 100 --json"],
    values: z.extend(named, { customer: flag }),
    run: async ({ db }, values) => {
      const found = await orderNamed(db, values);
      const { account_id, picker, picks } = found.record;
      const { customer, ...others } = presentOrderWithHistory(found.record, await readHistory(db, found));
      return whole({ account_id, ...others, picker, picks, ...(values.customer && { customer }) });
    },
  }),
  defineCommand({
    words: "orders explain <order>",
    summary: "Explains why an order has not shipped: what it waits for",
    about: [
      ...namedAbout,
      "It can wait for goods that are short, a picker, picks, quality control, or a change that is in progress.",
    ],
    options: ofAccount,
    examples: ["orders explain 1003", "orders explain DEMO-1 --account 100"],
    values: named,
    run: async ({ db }, values) => {
      const { record: order } = await orderNamed(db, values);
      const waits = await explainOrder(db, order);
      const { account_id, order_id, order_number, status } = order;
      const title = `Order ${order_id} (${order_number}) of account ${account_id} is ${status}.`;
      const text = [title, ...waits.map((one) => one.text)].join("\n");
      return reply(text, { account_id, order_id, order_number, status, waits });
    },
  }),
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
