/** How the steps of a record are stored (`steps.ts`): a plan, and the progress of whoever carries it out. */
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { Database } from "../dynamodb/database.ts";
import { joined, type Key } from "../dynamodb/keys.ts";
import { getItems, type Lookup } from "../dynamodb/reads.ts";

export const sagaTable = "jobs";

/** The partition of the index `queued` that lists all steps underway. A large record writes it twice. */
export const sagaShard = "steps";

/** The name of a record's steps. */
export const nameOf = ({ table: place, key: { pk, sk } }: Lookup): string =>
  joined("steps", JSON.stringify([place, pk, sk]));

export const progressKey = (name: string): Key => ({ pk: name, sk: "progress" });
export const planKey = (name: string): Key => ({ pk: name, sk: "plan" });

const progressItem = z.object({ receipt: primitive.text, next: primitive.int });
const planItem = z.object({ receipt: primitive.text, plan: z.instanceof(Uint8Array) });

/** What is stored of the steps of this name; undefined where none are underway. */
export async function readSagaItems(db: Database, name: string) {
  const lookups = {
    progress: { table: sagaTable, key: progressKey(name) },
    plan: { table: sagaTable, key: planKey(name) },
  } as const;
  const find = await getItems(db, [lookups.progress, lookups.plan]);
  const [progress, plan] = [find(lookups.progress), find(lookups.plan)];
  if (progress === undefined && plan === undefined) return undefined;
  return {
    progress: progress === undefined ? undefined : z.parse(progressItem, progress),
    plan: plan === undefined ? undefined : z.parse(planItem, plan),
  };
}
