/** Erases personal data of orders. */
import * as z from "zod/mini";
import { abandonedAfterMs } from "../../../../shared/common/time-limits.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { dryRunOf } from "../../../../shared/store/dynamodb/dry-run.ts";
import type { Lookup } from "../../../../shared/store/dynamodb/reads.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { email, id, optional } from "../../cli/fields.ts";
import { Usage } from "../../cli/outcome.ts";
import { reply } from "../../cli/result.ts";
import {
  type ErasedOrder,
  type Erasure,
  eraseCustomers,
  ordersWithEmail,
  type Sought,
} from "../../erase/erase-customers.ts";

/** How long a stream may take to publish a change. */
const waitMs = 60_000;

/** Seconds after which no call or delivery runs any more that has read a customer. */
const settleSeconds = abandonedAfterMs / 1000;

const maxOrders = 1000;

const lineOf = ({ order_id, outcome, reason }: ErasedOrder): string =>
  outcome === "refused"
    ? `Order ${order_id} is left as it is: ${reason}`
    : outcome === "unpublished"
      ? `Order ${order_id} is erased, but its changes are not published yet: run this again for it later`
      : `Order ${order_id} is ${outcome}`;

const countsOf = ({ events, set_aside, deliveries, answers }: Erasure["copies"]): string =>
  `in the feed ${events}, set aside ${set_aside}, answers of receivers ${deliveries}, kept answers ${answers}`;

/** What a second search finds: it is left, or came back meanwhile. Orders that were refused are left. */
async function leftOf(
  db: Database,
  ids: readonly number[],
  options: Parameters<typeof eraseCustomers>[2],
  seek: () => Promise<Sought>,
) {
  const { orders, copies } = await eraseCustomers(dryRunOf(db), ids, options);
  const refused = orders.filter(({ outcome }) => outcome === "refused").map(({ order_id }) => order_id);
  return { orders: new Set([...refused, ...(await seek()).orders]).size, ...copies };
}

export const customers: Commands = [
  defineCommand({
    words: "customers erase [orders...]",
    summary: "Erases the names, email, phone and address of orders that are Shipped or Cancelled",
    about: [
      "ORDERS are order_ids. The customer is erased in the order, in its events, in what receivers answered to them, and in the",
      "responses that are kept for an Idempotency-Key. The order keeps its goods, its figures and the country. Its version rises, and",
      "its account gets an event order.updated. The command scans the tables of jobs and webhooks, and with --email that of orders.",
      "Backups, restored tables, streams and receivers keep what they have: see docs/operators/day-to-day.md. If the command is",
      "interrupted, run it again: with --email, it also completes what was erased in the last month. Before it erases answers, it",
      `waits ${settleSeconds} s, as a delivery or a call that runs may still store one. At the end it searches once more, and prints what is left.`,
    ],
    options: {
      "--email <address>": "all orders with this email address, of all accounts",
      "--account <id>": "with --email: only orders of this account",
    },
    examples: ["customers erase 1003 1004", "customers erase --email grace@example.com --account 100"],
    values: z
      .object({ orders: z._default(z.array(id), []), email: optional(email), account: optional(id) })
      .check(
        z.refine(({ orders, email: address }) => (address === undefined) !== (orders.length === 0), {
          path: ["orders"],
          error: "or --email must be specified, but not both",
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
    run: async ({ db, note, progress, dryRun }, { orders, email: address, account }) => {
      const unreadable = new Set<string>();
      const onUnreadable = ({ table, key }: Lookup) => {
        const item = `${table} ${key.pk} ${key.sk}`;
        if (!unreadable.has(item)) note(`An item can't be read and stays as it is: ${item}`);
        unreadable.add(item);
      };
      const seek = async (named: readonly number[]): Promise<Sought> =>
        address === undefined
          ? { orders: named, earlier: [] }
          : ordersWithEmail(db, address, account, onUnreadable);
      const sought = await seek(orders);
      if (sought.orders.length > maxOrders)
        throw new Usage(`${sought.orders.length} orders are more than the ${maxOrders} of one run`);
      if (address !== undefined) {
        note(`Orders with this email address: ${sought.orders.join(" ") || "none"}`);
        note(`Orders erased lately, which are searched, too: ${sought.earlier.length}`);
      }
      const ids = [...sought.orders, ...sought.earlier];
      const advance = progress("Orders", ids.length);
      const options = { waitMs, settleMs: abandonedAfterMs, advance, onUnreadable };
      if (!dryRun)
        note(
          `Answers to calls and deliveries that are still running are erased at the end, after ${settleSeconds} s.`,
        );
      const erasure = await eraseCustomers(db, ids, options);
      const named = new Set(sought.orders);
      const open = erasure.orders.filter(({ outcome }) => !outcome.startsWith("erased"));
      const listed = erasure.orders.filter((one) => named.has(one.order_id) || open.includes(one));
      const left = dryRun
        ? undefined
        : await leftOf(db, ids, { ...options, advance: () => undefined }, () => seek([]));
      const text = [
        ...listed.map(lineOf),
        `Erased copies: ${countsOf(erasure.copies)}.`,
        ...(left === undefined ? [] : [`A second search finds: orders ${left.orders}, ${countsOf(left)}.`]),
      ].join("\n");
      const isClean = Object.values(left ?? {}).every((count) => count === 0);
      const isDone = unreadable.size === 0 && open.length === 0 && isClean;
      const data = { ...erasure, orders: listed, left };
      return { ...reply(text, data), ends: isDone ? undefined : "findings" };
    },
  }),
];
