/** How the writes of a large record are shared out over transactions; `steps.ts` tells what they are for. */
import { transactionLimit } from "../dynamodb/transact.ts";
import {
  type Conditional,
  merged,
  mergingPlaceOf,
  placeOf,
  sagaAttribute,
  type Write,
} from "../dynamodb/writes.ts";

/** The writes of a record that is stored in steps. */
export interface SagaPlan {
  /** What the first transaction stores: what others could take is taken, and the items to be changed are held. */
  readonly first: readonly Conditional[];
  /** What the later transactions store, one after another. None of these writes is ever refused. */
  readonly steps: readonly (readonly Write[])[];
}

/** Most writes of one step. The step needs two more items of its transaction for itself. */
export const maxStepWrites = transactionLimit - 2;

/**
 * Shares out the writes of one record, for steps of this `name`. The record's own writes come first in `writes`: its
 * item, its count in tallies, its lookups and its history. They become the last step, so that all of it shows at once.
 * Behind them come the effects on other items. Those are free: counts, and what others can't break. A count and the own
 * insert right behind it, such as a stock count and its movement, are never stored in different steps.
 * @throws where more writes can be refused than one transaction holds, or the record itself has no condition
 */
export function planSaga(writes: readonly Write[], name: string, size = maxStepWrites): SagaPlan {
  const [record, ...others] = merged(writes) ?? [];
  if (record === undefined) throw new Error("two writes of a record in steps touch the same item");
  if (record.kind !== "insert" && isFree(record))
    throw new Error("the change of a record in steps has no condition that holds the record");
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
  let step = [...guarded];
  const last = step;
  const steps = [last];
  for (const bundle of bundles(writes, free)) {
    if (bundle.length > size)
      throw new Error(`${bundle.length} writes that belong together do not fit one step`);
    if (step.length + bundle.length > size) {
      step = [];
      steps.push(step);
    }
    step.push(...bundle);
  }
  return { first, steps: [...steps.slice(1), last] };
}

/** The free writes, those together that must be stored together; `writes` are those of the record before merging. */
function bundles(writes: readonly Write[], free: readonly Write[]): Iterable<readonly Write[]> {
  const counts = new Map<string, string>();
  for (const [index, write] of writes.entries()) {
    const before = writes[index - 1];
    if (before?.kind === "count" && write.kind === "insert" && write.own === true)
      counts.set(placeOf(write), mergingPlaceOf(before));
  }
  const bundleOf = (write: Write): string => counts.get(placeOf(write)) ?? mergingPlaceOf(write);
  return Map.groupBy(free, bundleOf).values();
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

/**
 * What makes sure that a write will not be refused in the last step. An item that exists is held under its conditions; one
 * that is inserted is held from the start.
 */
function reserving(write: Write, name: string): readonly Conditional[] {
  if (isFree(write) || write.kind === "count") return [];
  if (write.kind === "insert") return [{ ...write, item: { ...write.item, [sagaAttribute]: name } }];
  const { table, key, when, rejection } = write;
  return [{ kind: "change", table, key, set: { [sagaAttribute]: name }, when, rejection }];
}

/** What is left to do of a write in the last step, once `reserving` was stored. */
function concluding(write: Write, name: string): readonly Write[] {
  if (isFree(write) || write.kind === "count") return [];
  const when = [{ attribute: sagaAttribute, equals: name }];
  if (write.kind === "insert") {
    const { table, item, rejection } = write;
    return [
      { kind: "change", table, key: { pk: item.pk, sk: item.sk }, remove: [sagaAttribute], when, rejection },
    ];
  }
  return write.kind === "change"
    ? [{ ...write, when, remove: [...(write.remove ?? []), sagaAttribute] }]
    : [{ ...write, when }];
}
