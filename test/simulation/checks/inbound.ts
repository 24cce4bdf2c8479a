/** Whether replenishments and returns say how much of them was put away. */
import * as z from "zod";
import { loadPutAway } from "../../../shared/inbound/put-away.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { History, Recorded } from "../workload/history.ts";
import { type Finding, findings } from "./finding.ts";
import { accountContext } from "./stored.ts";

const sentMove = z.object({ quantity: z.int() });
const target = z.union([z.object({ replenishment_id: z.int() }), z.object({ return_id: z.int() })]);

const units = (moves: readonly Recorded[]): number =>
  moves.reduce((sum, { sent }) => sum + sentMove.parse(sent.body).quantity, 0);

/** Each notes the units whose put-away was answered, and no more than may have been stored. */
export async function inboundFaults({ calls, archived }: History, db: Database): Promise<readonly Finding[]> {
  // A return is archived with its order.
  if (archived.size > 0) return [];
  const moves = calls.filter(({ operation }) => operation === "putAway");
  const byTarget = Map.groupBy(moves, ({ sent }) => JSON.stringify(target.parse(sent.body)));
  const found = await Promise.all(
    [...byTarget].map(async ([name, own]) => {
      const least = units(own.filter(({ answer }) => answer?.status === 200));
      const most = least + units(own.filter(({ answer }) => answer === undefined));
      const { items } = await loadPutAway(accountContext(db), target.parse(JSON.parse(name)));
      const noted = items.reduce((sum, { put_away }) => sum + put_away, 0);
      return noted < least || noted > most
        ? [`${name} notes ${noted} units put away, expected ${least} to ${most}`]
        : [];
    }),
  );
  return findings("put-aways are noted", found.flat());
}
