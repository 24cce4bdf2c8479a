/** Steps that no record waits for: for the checks of an operator, after tables were restored from different moments. */
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { Database } from "../dynamodb/database.ts";
import { joined } from "../dynamodb/keys.ts";
import { type Lookup, queryRange } from "../dynamodb/reads.ts";
import { keyOf, sagaAttribute, stale, type Write } from "../dynamodb/writes.ts";
import { tableNames } from "../tables.ts";
import { planKey, progressKey, readSagaItems, sagaShard, sagaTable as table } from "./saga-items.ts";
import { unpacked } from "./serialized-writes.ts";

/** The record that steps of this name store, which waits for them. */
export function recordOfSaga(name: string): Lookup {
  const [place, pk, sk] = z.parse(namedPlace, JSON.parse(name.slice(joined("steps", "").length)));
  return { table: place, key: { pk, sk } };
}

const namedPlace = z.tuple([z.enum(tableNames), primitive.text, primitive.text]);

/** Steps underway, and the items that wait for the last of them. */
export interface OpenSaga {
  readonly receipt: string;
  readonly holds: readonly Lookup[];
}

/** Reads the steps of this name; undefined where none are underway, or are just begun or ended. */
export async function readSaga(db: Database, name: string): Promise<OpenSaga | undefined> {
  const { progress, plan } = (await readSagaItems(db, name)) ?? {};
  if (progress === undefined || plan === undefined || progress.receipt !== plan.receipt) return undefined;
  const last = unpacked(plan.plan).at(-1) ?? [];
  const holds = last
    .filter((write) => isHeldBy(write, name))
    .map((write) => ({ table: write.table, key: keyOf(write) }));
  return { receipt: progress.receipt, holds };
}

/** Whether a write needs its item to be held by the steps of this name. */
const isHeldBy = (write: Write, name: string): boolean =>
  (write.kind === "change" || write.kind === "removal") &&
  write.when.some(
    (condition) =>
      condition.attribute === sagaAttribute && "equals" in condition && condition.equals === name,
  );

/** Takes steps away that no record waits for. What some of them have changed stays. */
export const sagaRemoval = (name: string, receipt: string): readonly Write[] =>
  [progressKey(name), planKey(name)].map((key) => ({
    kind: "removal",
    table,
    key,
    when: [{ attribute: "receipt", equals: receipt }],
    rejection: stale,
  }));

/** The names of all steps underway. The index follows late: some may be done. */
export async function allSagas(db: Database): Promise<readonly string[]> {
  const items = await queryRange(db, { table, pk: sagaShard, index: "queued" });
  return items.map(({ pk }) => String(pk));
}
