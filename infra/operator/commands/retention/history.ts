/** Exports and deletes old stock movements and order histories (docs/decisions.md, Movements). */

import { open, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import * as z from "zod/mini";
import { forEachConcurrently } from "../../../../shared/common/concurrency.ts";
import { isTwoYearsBefore } from "../../../../shared/common/times.ts";
import { totalProduct } from "../../../../shared/stock/total-movements.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { dropHistory, finishedOrders, historyBefore } from "../../archive/past-history.ts";
import {
  dropMovements,
  movementsBefore,
  productsMovedBefore,
  productsWithMovements,
} from "../../archive/past-movements.ts";
import { reply } from "../../cli/answer.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { date, file as fileName } from "../../cli/fields.ts";
import { type Advance, operator } from "../../cli/session.ts";

/** A day that is long enough ago. */
const before = z.pipe(
  date,
  z
    .string()
    .check(
      z.refine(
        (day) => isTwoYearsBefore(day, new Date().toISOString().slice(0, 10)),
        "must be at least two years ago",
      ),
    ),
);

/** The start of the day, ISO 8601. */
const momentOf = (day: string): string => `${day}T00:00:00.000Z`;

/** The number of movements and history entries that a command has processed. */
interface Counts {
  movements: number;
  entries: number;
}

const sentence = ({ movements, entries }: Counts): string =>
  `movements ${movements}, history entries ${entries}.`;

/** The records that `history drop` deletes, as JSON lines. Adds to `counts`. */
async function* linesBefore(
  db: Database,
  before: string,
  counts: Counts,
  advance: Advance,
): AsyncGenerator<string, void> {
  for await (const productId of productsMovedBefore(db, before))
    for await (const movement of movementsBefore(db, productId, before)) {
      counts.movements += 1;
      advance();
      yield `${JSON.stringify({ kind: "movement", ...movement })}\n`;
    }
  for await (const order_id of finishedOrders(db, before))
    for await (const entry of historyBefore(db, order_id, before)) {
      counts.entries += 1;
      advance();
      yield `${JSON.stringify({ kind: "history", order_id, ...entry })}\n`;
    }
}

export const history: Commands = [
  defineCommand({
    words: "history export <before> <file>",
    summary: "Writes what `history drop` would delete to a new file, as JSON lines",
    about: ["BEFORE is a date at least two years ago. The command requires dynamodb:Scan."],
    examples: ["history export 2024-01-31 past.jsonl"],
    values: z.object({ before, file: fileName }),
    run: async ({ db, progress }, { before: day, file }) => {
      const moment = momentOf(day);
      const counts: Counts = { movements: 0, entries: 0 };
      // An earlier export may hold the only copy of deleted records, so no file is overwritten.
      const target = await open(file, "wx");
      try {
        await pipeline(
          linesBefore(db, moment, counts, progress("Exporting")),
          target.createWriteStream({ flush: true }),
        );
      } catch (error) {
        // Half of an export is of no use, and would be in the way of the next one.
        await rm(file);
        throw error;
      }
      return reply(`Exported: ${sentence(counts)}`, counts);
    },
  }),
  defineCommand({
    words: "history drop <before>",
    summary: "Deletes movements, and histories of Shipped and Cancelled orders, from before a date",
    about: [
      "BEFORE is a date at least two years ago. The sum of deleted movements is carried forward, so that movements still add",
      "up to the stock. The command can be interrupted and repeated. It requires dynamodb:Scan.",
    ],
    examples: ["history drop 2024-01-31"],
    values: z.object({ before }),
    changes: {
      warning: ({ before: day }) => `Movements and order histories from before ${day} will be deleted.`,
    },
    run: async ({ db, progress, dryRun }, { before: day }) => {
      const moment = momentOf(day);
      const counts: Counts = { movements: 0, entries: 0 };
      const advance = progress("Dropping");
      if (dryRun) for await (const _ of linesBefore(db, moment, counts, advance));
      await forEachConcurrently(dryRun ? [] : productsMovedBefore(db, moment), async (productId) => {
        const dropped = await dropMovements(db, productId, { before: moment, by: operator });
        await totalProduct(db, productId);
        counts.movements += dropped;
        advance(dropped);
      });
      await forEachConcurrently(dryRun ? [] : finishedOrders(db, moment), async (orderId) => {
        const dropped = await dropHistory(db, orderId, moment);
        counts.entries += dropped;
        advance(dropped);
      });
      return reply(`Dropped: ${sentence(counts)}`, counts);
    },
  }),
  defineCommand({
    words: "history total",
    summary: "Recomputes the running totals of movements, from which stock of past moments is read",
    about: [
      "The service does this by itself. Run the command once after an upgrade from release 1.0, or if requests with `as_of` get 429",
      "for a product with more than 20,000 movements. It can be interrupted and repeated.",
    ],
    examples: ["history total"],
    values: z.object({}),
    changes: {},
    run: async ({ db, progress, dryRun }) => {
      const counts = { products: 0, movements: 0 };
      const advance = progress("Adding totals");
      const total = async (productId: number) => {
        if (!dryRun) counts.movements += await totalProduct(db, productId);
        counts.products += 1;
        advance();
      };
      await forEachConcurrently(productsWithMovements(db), total);
      return reply(`Products ${counts.products}, movements with new totals ${counts.movements}.`, counts);
    },
  }),
];
