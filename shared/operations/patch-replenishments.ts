import { replenishments } from "../data/inbound.ts";
import { readReplenishmentReferences } from "../data/replenishment-references.ts";
import type { Replenishment, ReplenishmentPatch } from "../domain/inbound/replenishment.ts";
import { revise } from "../domain/inbound/replenishment-references.ts";
import { invalidAt, notFound, type Problem } from "../domain/problem.ts";
import { repeats } from "../domain/repeats.ts";
import { type Outcome, storeEach } from "../store/bulk.ts";
import type { Database } from "../store/database.ts";
import { planReplenishments, type ReplenishmentStep } from "./plan-replenishments.ts";

/**
 * Changes the fields that were sent of replenishments found by id, each with the difference that it makes to incoming
 * stock.
 * @throws Problem `not_found` or `invalid`, with nothing stored, where any record is wrong
 */
export async function patchReplenishments(
  db: Database,
  { account_id, now }: { readonly account_id: number; readonly now: string },
  patches: readonly ReplenishmentPatch[],
): Promise<readonly Outcome<Replenishment>[]> {
  const ids = patches.map(({ replenishment_id }) => replenishment_id);
  const repeated = repeats(ids.map(String), (position) => `data.${position}.replenishment_id`);
  if (repeated.length > 0) throw invalidAt(repeated);
  const records = patches.map((sent, position) => ({ sent, path: `data.${position}` }));
  return storeEach(db, records, async (open) => {
    const sent = open.map((record) => record.sent);
    const [references, found] = await Promise.all([
      readReplenishmentReferences(db, account_id, sent),
      replenishments.findAll(db, account_id, ids),
    ]);
    const steps = open.map(({ sent, path }): ReplenishmentStep => {
      const before = found.get(sent.replenishment_id);
      if (before === undefined) return { problem: unknown(sent.replenishment_id, path) };
      const decision = revise(before, sent, references, path, now);
      return "problem" in decision ? decision : { before, path, ...decision };
    });
    return planReplenishments(db, steps);
  });
}

const unknown = (id: number, path: string): Problem =>
  notFound(`There is no replenishment with replenishment_id ${id}`, [
    { path: `${path}.replenishment_id`, message: `names no replenishment (${id})` },
  ]);
