/** What an operator does with movements and histories of the past (docs/decisions.md, Movements). */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import * as z from "zod/mini";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { isTwoYearsBefore } from "../../../shared/common/days.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { dropHistory, finishedOrders, historyBefore } from "../archive/past-history.ts";
import { dropMovements, movementsBefore, productsMovedBefore } from "../archive/past-movements.ts";
import { reply } from "../cli/answer.ts";
import { defineCommand, type Noun } from "../cli/command.ts";
import { Usage } from "../cli/failures.ts";
import { date, file as fileName } from "../cli/fields.ts";
import { operator, type Progress } from "../cli/session.ts";

const tables = ["orders", "inventory", "tallies"] as const;

/** The first moment of BEFORE, ISO 8601. */
function momentOf(before: string): string {
  if (!isTwoYearsBefore(before, new Date().toISOString().slice(0, 10)))
    throw new Usage("BEFORE must lie two years back or more");
  return `${before}T00:00:00.000Z`;
}

/** How many movements and changes of orders a command dealt with. */
interface Dealt {
  movements: number;
  entries: number;
}

const sentence = ({ movements, entries }: Dealt): string =>
  `movements ${movements}, history entries ${entries}.`;

/** All that a drop would drop, as JSON lines; `dealt` counts them. */
async function* linesBefore(
  db: Database,
  before: string,
  dealt: Dealt,
  { advance }: Progress,
): AsyncGenerator<string, void> {
  for await (const productId of productsMovedBefore(db, before))
    for await (const movement of movementsBefore(db, productId, before)) {
      dealt.movements += 1;
      advance();
      yield `${JSON.stringify({ kind: "movement", ...movement })}\n`;
    }
  for await (const order_id of finishedOrders(db, before))
    for await (const entry of historyBefore(db, order_id, before)) {
      dealt.entries += 1;
      advance();
      yield `${JSON.stringify({ kind: "history", order_id, ...entry })}\n`;
    }
}

export const history: Noun = {
  name: "history",
  summary: "Movements and changes of orders of the past",
  commands: [
    defineCommand({
      words: "export <before> <file>",
      summary: "Writes what `history drop` would drop to a new file, one JSON object a line",
      about: ["BEFORE is a date two years back or more. It needs dynamodb:Scan."],
      examples: ["history export 2024-01-31 past.jsonl"],
      tables,
      values: z.object({ before: date, file: fileName }),
      run: async ({ db, progress }, { before, file }) => {
        const moment = momentOf(before);
        const dealt: Dealt = { movements: 0, entries: 0 };
        const bar = progress("Exporting");
        // An earlier export may be all that is left of what it holds, so no file is overwritten.
        const target = createWriteStream(file, { flags: "wx", flush: true });
        await pipeline(linesBefore(db, moment, dealt, bar), target).finally(() => bar.stop("Export ended"));
        return reply(`Exported: ${sentence(dealt)}`, dealt);
      },
    }),
    defineCommand({
      words: "drop <before>",
      summary: "Drops movements and changes of Shipped and Cancelled orders from before a date",
      about: [
        "BEFORE is a date two years back or more. What movements came to is carried forward, so they still add up to the",
        "stock. It can be stopped and run again. It needs dynamodb:Scan.",
      ],
      examples: ["history drop 2024-01-31"],
      tables,
      values: z.object({ before: date }),
      confirms: ({ before }) =>
        `Movements and changes of orders from before ${before} will be dropped. Go on?`,
      run: async ({ db, progress }, { before: day }) => {
        const before = momentOf(day);
        const dealt: Dealt = { movements: 0, entries: 0 };
        const bar = progress("Dropping");
        const dropping = async () => {
          await forEachConcurrently(productsMovedBefore(db, before), async (productId) => {
            const dropped = await dropMovements(db, productId, { before, by: operator });
            dealt.movements += dropped;
            bar.advance(dropped);
          });
          await forEachConcurrently(finishedOrders(db, before), async (orderId) => {
            const dropped = await dropHistory(db, orderId, before);
            dealt.entries += dropped;
            bar.advance(dropped);
          });
        };
        await dropping().finally(() => bar.stop("Drop ended"));
        return reply(`Dropped: ${sentence(dealt)}`, dealt);
      },
    }),
  ],
};
