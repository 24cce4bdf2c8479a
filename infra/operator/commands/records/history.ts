/** Exports and deletes old stock movements and order histories (docs/decisions.md, Movements). */

import * as z from "zod/mini";
import { forEachConcurrently } from "../../../../shared/common/concurrency.ts";
import { isTwoYearsBefore } from "../../../../shared/common/times.ts";
import { totalProduct } from "../../../../shared/stock/past/total-movements.ts";
import { archiveStore } from "../../archive/archive-store.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { allowed, date, file } from "../../cli/fields.ts";
import { reply } from "../../cli/result.ts";
import { dropExported, exportHistory, type HistoryCounts } from "../../history/archive-history.ts";
import { productsWithMovements } from "../../history/drop-movements.ts";

const isLongAgo = (day: string): boolean => isTwoYearsBefore(day, new Date().toISOString().slice(0, 10));

const before = z.pipe(date, z.string().check(z.refine(isLongAgo, "must be at least two years ago")));

const exported = allowed(file, "the file that `history export` wrote for this date");

const sentence = ({ movements, entries }: HistoryCounts): string =>
  `movements ${movements}, history entries ${entries}.`;

export const history: Commands = [
  defineCommand({
    words: "history export <before> <file>",
    summary: "Writes old movements, and old histories of Shipped and Cancelled orders, to a new file",
    about: [
      "BEFORE is a date at least two years ago. FILE may be an object of S3, as s3://BUCKET/KEY. It holds JSON lines, packed by gzip.",
      "An export that is interrupted leaves no file, and begins anew. The command requires dynamodb:Scan.",
    ],
    examples: ["history export 2024-01-31 past.jsonl.gz"],
    values: z.object({ before, file }),
    run: async ({ db, interruption, progress }, { before: day, file: named }) => {
      const archive = archiveStore(named, interruption);
      const counts = await exportHistory(db, { before: day, archive, advance: progress("Exporting") });
      return reply(`Exported: ${sentence(counts)}`, counts);
    },
  }),
  defineCommand({
    words: "history drop <before>",
    summary: "Deletes the movements and histories that an export holds",
    about: [
      "The export is verified first, and must be of the same date. What it does not hold stays. The sum of deleted movements is",
      "carried forward, so that movements still add up to the stock. The command can be interrupted and repeated.",
    ],
    options: { "--exported <file>": "the file that `history export` wrote for this date (required)" },
    examples: ["history drop 2024-01-31 --exported past.jsonl.gz"],
    values: z.object({ before, exported }),
    changes: {
      warning: ({ before: day, exported: named }) =>
        `Movements and order histories from before ${day} will be deleted, after ${named} is verified to hold them.`,
    },
    run: async ({ db, progress }, { before: day, exported: named }) => {
      const archive = archiveStore(named);
      const counts = await dropExported(db, { before: day, archive, advance: progress("Dropping") });
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
      const { products, movements } = counts;
      // Which totals are wrong only shows as they are added.
      if (dryRun) return reply(`Products whose movements would be totalled: ${products}.`, { products });
      return reply(`Products ${products}, movements with new totals ${movements}.`, counts);
    },
  }),
];
