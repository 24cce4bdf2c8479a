/** How the writes of a large record are shared out over transactions; `steps.ts` tells what they are for. */
import { transactionLimit } from "./transact.ts";
import { type Conditional, merged, underway, type Write } from "./writes.ts";

/** The writes of a record that is stored in steps. */
export interface StepPlan {
  /** What the first transaction stores: what others could take is taken, and the items to be changed are held. */
  readonly first: readonly Conditional[];
  /** What the later transactions store, one after another. None of these writes is ever refused. */
  readonly steps: readonly (readonly Write[])[];
}

/** Most writes of one step. The step needs two more items of its transaction for itself. */
export const largestStep = transactionLimit - 2;

/**
 * Shares out the writes of one record, for steps of this `name`. The record's own writes come first in `writes`: its
 * item, its count in tallies, its lookups and its history. They become the last step, so that all of it shows at once.
 * Behind them come the effects on other items. Those are free: counts, and what others can't break.
 * @throws where more writes can be refused than one transaction holds
 */
export function inSteps(writes: readonly Write[], name: string, size = largestStep): StepPlan {
  const [record, ...others] = merged(writes) ?? [];
  if (record === undefined) throw new Error("two writes of a record in steps touch the same item");
  const first = [
    ...(record.kind === "insert" ? [] : reserving(record, name)),
    ...others.flatMap((write) => reserving(write, name)),
  ];
  const guarded = [
    ...(record.kind === "insert" ? [record] : concluding(record, name)),
    ...others.flatMap((write) => concluding(write, name)),
  ];
  const free = others.filter(isFree);
  if (Math.max(first.length, guarded.length) > size)
    throw new Error(`${guarded.length} writes that can be refused do not fit one step`);
  const along = size - guarded.length;
  const steps: (readonly Write[])[] = [];
  for (let start = along; start < free.length; start += size) steps.push(free.slice(start, start + size));
  return { first, steps: [...steps, [...guarded, ...free.slice(0, along)]] };
}

/** Whether a write can't be refused, whatever others do. */
function isFree(write: Write): boolean {
  switch (write.kind) {
    case "count":
      return true;
    case "insert":
    case "change":
      return write.own === true;
    case "removal":
      return write.when.length === 0;
  }
}

/** What makes sure that a write will not be refused in the last step. An item that exists is held under its premises. */
function reserving(write: Write, name: string): readonly Conditional[] {
  if (isFree(write) || write.kind === "count") return [];
  if (write.kind === "insert") return [write];
  const { table, key, when, refusal } = write;
  return [{ kind: "change", table, key, set: { [underway]: name }, when, refusal }];
}

/** What is left to do of a write in the last step, once `reserving` was stored. */
function concluding(write: Write, name: string): readonly Write[] {
  if (isFree(write) || write.kind === "count" || write.kind === "insert") return [];
  const when = [{ attribute: underway, equals: name }];
  return write.kind === "change"
    ? [{ ...write, when, remove: [...(write.remove ?? []), underway] }]
    : [{ ...write, when }];
}
