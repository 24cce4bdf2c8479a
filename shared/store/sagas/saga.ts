/**
 * Records whose writes do not fit one transaction, such as orders of many products, are stored in steps.
 *
 * The first transaction decides. It takes what others could take, such as an order's number. It holds that, and each item
 * that is to be changed, such as the order or a call's `Idempotency-Key`: the item's attribute `underway` names the steps.
 * With them it stores all remaining writes: the plan. If it is refused, nothing is stored. Once it is stored, nothing can refuse the
 * rest, and the record is certain to be stored.
 * Each step is one transaction of the plan. It changes stock, and moves the progress on from its own number, so it takes
 * effect once, whoever carries it out. Several may try at the same time: the call itself, a retry, another call that
 * meets the record, the sweeper. Whoever is late finds the progress moved on, and goes on from there.
 * The last step makes the record visible: the record, its tally, its lookups, its history and the call's kept answer
 * change together. The plan and the progress go away with it.
 *
 * So readers see the record as it was before, or not at all, until all its effects are stored. An item that is held is
 * refused to everybody else as `SagaInProgress`. Counts go on, since they have no conditions.
 */
import { randomUUID } from "node:crypto";
import { invalid } from "../../common/problem.ts";
import type { Database } from "../dynamodb/database.ts";
import { getItems, type Lookup, queryOnce } from "../dynamodb/reads.ts";
import { Busy, backOff, extendBudget, inBudget } from "../dynamodb/retry.ts";
import { commit, fitsTransaction, untilFresh } from "../dynamodb/transact.ts";
import {
  type Change,
  type Conditional,
  keyOf,
  type Removal,
  SagaInProgress,
  stale,
  type Write,
} from "../dynamodb/writes.ts";
import { inForm } from "../layouts/layout-writes.ts";
import { nameOf, planKey, progressKey, readSagaItems, sagaShard, sagaTable as table } from "./saga-items.ts";
import { planSaga } from "./saga-plan.ts";
import { packed, unpacked } from "./serialized-writes.ts";

/** Milliseconds after which steps are taken for left behind: longer than any function runs. */
const maxRunMs = 35_000;

const nextCheck = (): string => new Date(Date.now() + maxRunMs).toISOString();

/** Largest plan, in bytes after compression. An item holds 400 KB. */
const largestPlan = 380_000;

/** The remaining work of one record. The receipt tells it from earlier work on the same record. */
interface Work {
  readonly name: string;
  readonly receipt: string;
  readonly steps: readonly (readonly Write[])[];
}

/**
 * Stores the writes of one record: in one transaction if it holds them, else in steps. The record's own writes come
 * first; see `planSaga`. Answers the write whose condition fails, as `commit` does; nothing is stored then.
 * @throws as `commit`; but no Busy once the first transaction of several is stored, since others will carry out the rest
 * @throws Problem `invalid`, with nothing stored, where the record is too large
 */
export async function store(db: Database, writes: readonly Write[]): Promise<Conditional | undefined> {
  if (fitsTransaction(writes)) return commit(db, writes);
  const { name, first, steps, plan } = planned(writes.map((write) => inForm(db, write)));
  if (plan === undefined) throw invalid("The record is too large to be stored");
  const receipt = randomUUID();
  const progress = {
    ...progressKey(name),
    receipt,
    next: 0,
    queued_shard: sagaShard,
    check_at: nextCheck(),
  };
  const broken = await commit(db, [
    ...first,
    { kind: "insert", table, item: progress, rejection: stale },
    { kind: "insert", table, item: { ...planKey(name), receipt, plan }, rejection: stale },
  ]);
  if (broken !== undefined) return broken;
  extendBudget();
  try {
    await carryOut(db, { name, receipt, steps }, 0);
  } catch (error) {
    // Busy would say that nothing is stored.
    if (error instanceof Busy) throw new Error("the record was begun, and is stored later", { cause: error });
    throw error;
  }
  return undefined;
}

/**
 * Stores the writes of one record, as `store` does.
 * @throws the `rejection` of the write whose condition does not hold; and as `store`
 */
export async function storeRecord(db: Database, writes: readonly Write[]): Promise<void> {
  const broken = await store(db, writes);
  if (broken !== undefined) throw broken.rejection();
}

/** Whether `store` finds room for these writes of one record. */
export const isStorable = (writes: readonly Write[]): boolean =>
  fitsTransaction(writes) || planned(writes).plan !== undefined;

/** A record's writes shared out, and the plan as it is stored; none where an item or a transaction does not hold it. */
function planned(writes: readonly Write[]) {
  const [record] = writes;
  if (record === undefined) throw new Error("a record in steps has no writes");
  const name = nameOf({ table: record.table, key: keyOf(record) });
  const { first, steps } = planSaga(writes, name);
  const plan = packed(steps);
  const fits = plan.length <= largestPlan && [first, ...steps].every(fitsTransaction);
  return { name, first, steps, plan: fits ? plan : undefined };
}

/** Carries out the steps from `from` on. Those that others carry out meanwhile are passed over. */
async function carryOut(db: Database, { name, receipt, steps }: Work, from: number): Promise<void> {
  let next = from;
  for (;;) {
    const step = steps[next];
    if (step === undefined) return;
    const isLast = next === steps.length - 1;
    const [moved, ...others] = isLast ? endOf(name, receipt, next) : [advance(name, receipt, next)];
    // The progress comes first, so that a step which was carried out before is refused for that.
    const broken = await commit(db, [moved, ...others, ...step]);
    if (broken === undefined) next += 1;
    else if (keyOf(broken).pk !== name) throw new Error(`a step of ${name} was refused`);
    else {
      const found = await readSagaItems(db, name);
      if (found?.progress?.receipt !== receipt) return;
      next = found.progress.next;
    }
  }
}

const still = (receipt: string, next: number): Change["when"] => [
  { attribute: "receipt", equals: receipt },
  { attribute: "next", equals: next },
];

const advance = (name: string, receipt: string, next: number): Change => ({
  kind: "change",
  table,
  key: progressKey(name),
  add: { next: 1 },
  when: still(receipt, next),
  rejection: stale,
});

const endOf = (name: string, receipt: string, next: number): readonly [Removal, Removal] => [
  { kind: "removal", table, key: progressKey(name), when: still(receipt, next), rejection: stale },
  { kind: "removal", table, key: planKey(name), when: [], rejection: stale },
];

/** Whether steps of this name are stored, which an item that they hold tells as `underway`. */
export const isSagaInProgress = async (db: Database, name: string) =>
  (await readSagaItems(db, name)) !== undefined;

/** Carries out what is left of the steps of this name. Returns once all are done, by whomever. */
export const resumeSaga = (db: Database, name: string): Promise<void> =>
  inBudget(() => attemptFinish(db, name));

async function attemptFinish(db: Database, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await readSagaItems(db, name);
    if (found === undefined) return;
    const { progress, plan } = found;
    if (progress !== undefined && plan !== undefined && progress.receipt === plan.receipt)
      return carryOut(db, { name, receipt: progress.receipt, steps: unpacked(plan.plan) }, progress.next);
    // The two are stored and removed together, but a reader may see one of them a moment sooner than the other.
    await backOff(attempt);
  }
}

/**
 * Runs `decide` (read, decide, store) as `untilFresh` does, and throws as it does. Steps that `decide` meets are finished,
 * so that it can be run again at once.
 */
export const untilSettled = <T>(db: Database, decide: () => Promise<T>): Promise<T> =>
  untilFresh(async () => {
    try {
      return await decide();
    } catch (error) {
      if (error instanceof SagaInProgress) await resumeSaga(db, error.saga);
      throw error;
    }
  });

/** Finishes the steps, if any are underway, that store these records. One round trip where there are none. */
export async function resumeSagasOf(db: Database, records: readonly Lookup[]): Promise<void> {
  const names = records.map(nameOf);
  const lookup = (name: string): Lookup => ({ table, key: progressKey(name) });
  const find = await getItems(db, names.map(lookup));
  for (const name of names) if (find(lookup(name)) !== undefined) await resumeSaga(db, name);
}

/** Puts steps that can't be finished behind the others that are left behind. Nothing changes where they are done. */
export async function postponeSaga(db: Database, name: string): Promise<void> {
  const [set, when] = [{ check_at: nextCheck() }, [{ attribute: "receipt", is: "present" }] as const];
  await commit(db, [{ kind: "change", table, key: progressKey(name), set, when, rejection: stale }]);
}

/** The names of steps that were left behind by `now`, at most `limit`, oldest first. The index follows late: some may be done. */
export async function abandonedSagas(db: Database, now: string, limit: number): Promise<readonly string[]> {
  const items = await queryOnce(db, { table, pk: sagaShard, index: "queued", between: ["0", now], limit });
  return items.map(({ pk }) => String(pk));
}
