/** Steps that no record waits for: for the checks of an operator, after tables were restored from different moments. */
import * as z from "zod/mini";
import type { Database } from "./database.ts";
import { joined } from "./keys.ts";
import { type Lookup, queryRange } from "./reads.ts";
import { planKey, progressKey, readWork, stepsListed, stepsTable as table } from "./step-items.ts";
import { tableNames } from "./tables.ts";
import { stale, type Write } from "./writes.ts";

/** The record that steps of this name store, which waits for them. */
export function recordOfSteps(name: string): Lookup {
  const [place, pk, sk] = z.parse(namedPlace, JSON.parse(name.slice(joined("steps", "").length)));
  return { table: place, key: { pk, sk } };
}

const namedPlace = z.tuple([z.enum(tableNames), z.string(), z.string()]);

/** The receipt of the steps of this name; undefined where none are underway. */
export async function readSteps(db: Database, name: string): Promise<string | undefined> {
  const found = await readWork(db, name);
  return found?.progress?.receipt ?? found?.plan?.receipt;
}

/** Takes steps away that no record waits for. What some of them have changed stays. */
export const removalOfSteps = (name: string, receipt: string): readonly Write[] =>
  [progressKey(name), planKey(name)].map((key) => ({
    kind: "removal",
    table,
    key,
    when: [{ attribute: "receipt", equals: receipt }],
    refusal: stale,
  }));

/** The names of all steps underway. The index follows late: some may be done. */
export async function allSteps(db: Database): Promise<readonly string[]> {
  const items = await queryRange(db, { table, pk: stepsListed, index: "queued" });
  return items.map(({ pk }) => String(pk));
}
