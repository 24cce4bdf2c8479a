/** Sagas in progress: abandoned ones, and those that no longer lock an item after a restore. */
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { Database } from "../dynamodb/database.ts";
import { joined } from "../dynamodb/keys.ts";
import { getItems, type Lookup, parsed, queryRange } from "../dynamodb/reads.ts";
import { commit } from "../dynamodb/transact.ts";
import { lookupOf, removalOf, sagaAttribute, type Write } from "../dynamodb/writes.ts";
import { tableNames } from "../tables.ts";
import {
  nextCheck,
  planLookup,
  progressLookup,
  queuedSagas,
  readSagaItems,
  runIdAttribute,
  sagaTable as table,
} from "./saga.ts";
import { unpackSteps } from "./saga-plan.ts";

const namedRecord = z.tuple([z.enum(tableNames), primitive.text, primitive.text]);

export function recordOfSaga(name: string): Lookup {
  const [table, pk, sk] = z.parse(namedRecord, JSON.parse(name.slice(joined("steps", "").length)));
  return { table, key: { pk, sk } };
}

/** A saga in progress, and the items that it locks until its last step. */
interface OpenSaga {
  readonly runId: string;
  readonly locked: readonly Lookup[];
}

/** Reads a saga; undefined if it is not in progress, or is just beginning or ending. */
export async function readSaga(db: Database, name: string): Promise<OpenSaga | undefined> {
  const { progress, plan } = (await readSagaItems(db, name)) ?? {};
  if (progress === undefined || plan === undefined || progress[runIdAttribute] !== plan[runIdAttribute])
    return undefined;
  const last = unpackSteps(plan.plan).at(-1) ?? [];
  const locked = last.filter((write) => isLockedBy(write, name)).map(lookupOf);
  return { runId: progress[runIdAttribute], locked };
}

/** Whether a write requires that the saga has locked its item. */
const isLockedBy = (write: Write, saga: string): boolean =>
  (write.kind === "change" || write.kind === "removal") &&
  write.when.some(
    (condition) =>
      condition.attribute === sagaAttribute && "equals" in condition && condition.equals === saga,
  );

/** Removes a saga. What its steps have stored stays. */
export const sagaRemoval = (name: string, runId: string): readonly Write[] =>
  [progressLookup(name), planLookup(name)].map((lookup) =>
    removalOf(lookup, { attribute: runIdAttribute, equals: runId }),
  );

/** The names of all sagas in progress. The index is eventually consistent: some may be done. */
export async function allSagas(db: Database): Promise<readonly string[]> {
  const items = await queryRange(db, { table, pk: queuedSagas, index: "queued" });
  return items.map(({ pk }) => String(pk));
}

/** `begun_at` is ISO 8601. Release 1.0.0 does not store it. */
const begunItem = z.object({ begun_at: z.optional(primitive.time) });

/** When the sagas in progress began, ISO 8601; null for those that release 1.0.0 began. */
export async function beginningsOfSagas(db: Database): Promise<readonly (string | null)[]> {
  const lookups = (await allSagas(db)).map(progressLookup);
  const find = await getItems(db, lookups, ["begun_at"]);
  return lookups.flatMap((lookup) => {
    const progress = parsed(begunItem, find(lookup));
    return progress === undefined ? [] : [progress.begun_at ?? null];
  });
}

/** Moves a saga that can't be finished behind the other abandoned ones. Has no effect if the saga is done. */
export async function postponeSaga(db: Database, name: string): Promise<void> {
  const [set, when] = [{ check_at: nextCheck() }, [{ attribute: runIdAttribute, is: "present" }] as const];
  await commit(db, [{ kind: "change", ...progressLookup(name), set, when }]);
}

/** At most `limit` sagas that were abandoned before `now`, oldest first. Some may be done by now. */
export async function abandonedSagas(db: Database, now: string, limit: number): Promise<readonly string[]> {
  const items = await queryRange(db, { table, pk: queuedSagas, index: "queued", between: ["0", now], limit });
  return items.map(({ pk }) => String(pk));
}
