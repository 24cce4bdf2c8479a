/** What an operator does with movements and histories of the past (docs/decisions.md, Movements). */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import * as z from "zod/mini";
import { dropHistory, finishedOrders, historyBefore } from "../../shared/data/past-history.ts";
import { dropMovements, movementsBefore, productsMovedBefore } from "../../shared/data/past-movements.ts";
import { isTwoYearsBefore } from "../../shared/domain/days.ts";
import type { Database } from "../../shared/store/database.ts";
import { forEach } from "../../shared/store/side-by-side.ts";
import { allowed, type CommandGroup, text, Usage } from "./command.ts";

/** The first moment of BEFORE, ISO 8601. */
function beforeIn(value: string | undefined): string {
  const date = allowed(z.iso.date(), text(value, "BEFORE"), "BEFORE", "a date such as 2024-01-31");
  if (!isTwoYearsBefore(date, new Date().toISOString().slice(0, 10)))
    throw new Usage("BEFORE must lie two years back or more");
  return `${date}T00:00:00.000Z`;
}

/** How many movements and changes of orders a command dealt with. */
interface Dealt {
  movements: number;
  entries: number;
}

const told = ({ movements, entries }: Dealt): string => `movements ${movements}, history entries ${entries}.`;

/** All that `drop-history` would drop, as JSON lines; `dealt` counts them. */
async function* linesBefore(db: Database, before: string, dealt: Dealt): AsyncGenerator<string, void> {
  for await (const productId of productsMovedBefore(db, before))
    for await (const movement of movementsBefore(db, productId, before)) {
      dealt.movements += 1;
      yield `${JSON.stringify({ kind: "movement", ...movement })}\n`;
    }
  for await (const order_id of finishedOrders(db, before))
    for await (const entry of historyBefore(db, order_id, before)) {
      dealt.entries += 1;
      yield `${JSON.stringify({ kind: "history", order_id, ...entry })}\n`;
    }
}

export const pastCommands: CommandGroup = {
  tables: ["orders", "inventory", "tallies"],
  commands: {
    "export-history": async (db, [date, file]) => {
      const before = beforeIn(date);
      const dealt: Dealt = { movements: 0, entries: 0 };
      // An earlier export may be all that is left of what it holds, so no file is overwritten.
      const target = createWriteStream(text(file, "FILE"), { flags: "wx", flush: true });
      await pipeline(linesBefore(db, before, dealt), target);
      return `Exported: ${told(dealt)}`;
    },
    "drop-history": async (db, [date]) => {
      const before = beforeIn(date);
      const dealt: Dealt = { movements: 0, entries: 0 };
      await forEach(productsMovedBefore(db, before), async (productId) => {
        const dropped = await dropMovements(db, productId, { before, by: "operator" });
        dealt.movements += dropped;
      });
      await forEach(finishedOrders(db, before), async (orderId) => {
        const dropped = await dropHistory(db, orderId, before);
        dealt.entries += dropped;
      });
      return `Dropped: ${told(dealt)}`;
    },
  },
};
