/** The commands of archived orders (docs/decisions.md, Archived orders). */
import * as z from "zod/mini";
import { notFound } from "../../../../shared/common/problem.ts";
import { dayOf } from "../../../../shared/common/times.ts";
import { idsIn, recordLines, verifiedArchive } from "../../archive/archive-file.ts";
import { archiveOrders, type Left, measureArchive } from "../../archive/archive-orders.ts";
import { archiveStore } from "../../archive/archive-store.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { date, file, flag, id, name, optional } from "../../cli/fields.ts";
import { reply, whole } from "../../cli/result.ts";
import { readAccount } from "../../set-up/accounts.ts";

/** Events, deliveries and jobs of an order have expired by then. */
const minDays = 90;

const isLongAgo = (day: string): boolean => dayOf(new Date().toISOString()) - dayOf(day) >= minDays;

/** The reasons for which orders stay, with some of them. */
const linesOf = (left: Left): readonly string[] =>
  [...left].map(([reason, ids]) => {
    const some = ids.slice(0, 10).join(" ");
    return `Orders left as they are, because ${reason}: ${ids.length} (${some}${ids.length > 10 ? " …" : ""})`;
  });

export const archivingOrders = defineCommand({
  words: "orders archive",
  summary: "Writes orders that ended long ago to a file, verifies it, and then removes them",
  about: [
    `Archives Shipped and Cancelled orders that were last changed before a day at least ${minDays} days ago, together with their`,
    "history, the serials that left with them, their returns, and the attributes of all of these. The file also holds their stock",
    "movements, which stay in the tables. Lists and totals no longer include the orders; their numbers stay taken.",
    "The file is read back and compared before anything is removed. If the command is interrupted, run it again with the same",
    "file: it continues. An order that was changed meanwhile stays, and the exit status is 5: archive it to another file.",
    "The file holds data of customers, which `customers erase` can't reach. The command requires dynamodb:Scan.",
  ],
  options: {
    "--before <date>": "orders that were last changed before this day, UTC (required)",
    "--to <file>": "a new file, or an object of S3 as s3://BUCKET/KEY (required)",
    "--account <id>": "only orders of this account",
  },
  examples: [
    "orders archive --before 2025-01-01 --to orders-2024.jsonl.gz",
    "orders archive --before 2025-01-01 --to s3://my-archive/orders-2024.jsonl.gz --account 100",
  ],
  values: z.object({
    before: z.pipe(date, z.string().check(z.refine(isLongAgo, `must be at least ${minDays} days ago`))),
    to: file,
    account: optional(id),
  }),
  changes: {
    warning: ({ before, to }) =>
      `Orders that ended before ${before} will be removed, after ${to} is verified to hold them.`,
  },
  run: async ({ db, dryRun, interruption, progress }, { before, to, account: accountId }) => {
    if (accountId !== undefined) await readAccount(db, accountId);
    const archiving = {
      before,
      accountId,
      to: archiveStore(to, interruption),
      onRead: progress("Orders read"),
      onRemoved: dryRun ? () => undefined : progress("Orders removed"),
    };
    if (dryRun) {
      const { left, ...found } = await measureArchive(db, archiving);
      const text = `Orders to archive: ${found.orders}, ${found.bytes} bytes before compression.`;
      return reply([text, ...linesOf(left)].join("\n"), { ...found, left: Object.fromEntries(left) });
    }
    const { left = new Map(), ...archived } = await archiveOrders(db, archiving);
    const { orders, removed, gone, changed, sha256 } = archived;
    const counts = `removed ${removed}, removed before ${gone}, changed meanwhile ${changed.length}`;
    const text = [
      orders === 0 ? "No order is to be archived." : `Orders in ${to}: ${orders} (SHA-256 ${sha256}).`,
      `Of these ${counts}.`,
      ...(changed.length === 0 ? [] : [`Changed meanwhile, so they stay: ${changed.join(" ")}`]),
      ...linesOf(left),
    ].join("\n");
    const data = { to, ...archived, left: Object.fromEntries(left) };
    return { ...reply(text, data), ends: changed.length > 0 ? "findings" : undefined };
  },
});

const customerless = z.looseObject({ order: z.looseObject({ customer: z.unknown() }) });

export const archive: Commands = [
  defineCommand({
    words: "archive show <file> [order]",
    summary: "Shows an order of an archive, without its customer, or verifies the archive",
    about: [
      "FILE is a file that `orders archive` wrote, or s3://BUCKET/KEY. ORDER is an order_id. With --account, it can also be the",
      "order_number of an order of that account. Without ORDER, the archive is read to its end and compared with the digest that it",
      "states.",
    ],
    options: {
      "--account <id>": "the account whose order it is",
      "--customer": "also show the customer",
    },
    examples: ["archive show orders-2024.jsonl.gz", "archive show orders-2024.jsonl.gz DEMO-3 --account 100"],
    needsNoTables: true,
    values: z.object({ file, order: optional(name), account: optional(id), customer: flag }),
    run: async (_session, { file: named, order, account, customer }) => {
      const archive = archiveStore(named);
      if (order === undefined) {
        const { count: orders, ...verified } = await verifiedArchive(archive, "orders");
        const { before, account_id, sha256 } = verified;
        const whose = account_id === null ? "all accounts" : `account ${account_id}`;
        const text = `${named} is complete. Orders of ${whose}, last changed before ${before}: ${orders} (SHA-256 ${sha256}).`;
        return reply(text, { ...verified, orders });
      }
      for await (const line of recordLines(archive, "orders")) {
        const { order_id, order_number, account_id } = idsIn(line);
        const isNamed =
          account === undefined
            ? order === String(order_id)
            : account === account_id && [String(order_id), order_number].includes(order);
        if (!isNamed) continue;
        const { order: found, ...rest } = z.parse(customerless, JSON.parse(line));
        const { customer: hidden, ...others } = found;
        return whole({ order: { ...others, ...(customer && { customer: hidden }) }, ...rest });
      }
      throw notFound(`${named} has no order ${order}`);
    },
  }),
];
