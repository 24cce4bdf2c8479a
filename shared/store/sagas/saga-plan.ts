/** Divides the writes of a saga (`saga.ts`) into transactions, and packs those that are still to come. */
import { deserialize, serialize } from "node:v8";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { storedKey } from "../dynamodb/keys.ts";
import { transactionLimit } from "../dynamodb/transact.ts";
import {
  type Conditional,
  canFail,
  mergeKeyOf,
  mergeWrites,
  type PlannedWrites,
  sagaAttribute,
  type Write,
} from "../dynamodb/writes.ts";
import { Unreadable } from "../layouts/layouts.ts";
import { tableNames } from "../tables.ts";

interface SagaPlan {
  /** Reserves unique keys and locks the items to be changed. Only its conditions can fail. */
  readonly first: readonly Conditional[];
  readonly steps: readonly (readonly Write[])[];
}

/** Most writes in one step, whose transaction has two more items for the progress. */
export const maxStepWrites = transactionLimit - 2;

/**
 * Divides the writes of one record. Those with conditions form the last step, together with what belongs to
 * the record, so that all of it becomes visible at once. Writes that can't fail fill up the last step and
 * form the others. A count and what it counts (`countWith`) stay in one step.
 * @throws if more writes have conditions than one transaction holds, or the record itself has none
 */
export function planSaga(writes: PlannedWrites, saga: string, size = maxStepWrites): SagaPlan {
  const [record, ...others] = mergeWrites(writes) ?? [];
  if (record === undefined) throw new Error("two writes of a saga's record touch the same item");
  if (record.kind !== "insert" && !canFail(record))
    throw new Error("the change of a saga's record has no condition by which it locks the record");
  const conditional = others.filter(canFail);
  // The item of an inserted record is not locked: its key is new, and its insert is stored by the last step.
  const toLock = record.kind === "insert" ? conditional : [record, ...conditional];
  const first = toLock.map((write) => locking(write, saga));
  const last: Write[] = [
    ...(record.kind === "insert" ? [record] : []),
    ...toLock.map((write) => unlocking(write, saga)),
  ];
  if (Math.max(first.length, last.length) > size)
    throw new Error(`${last.length} writes that can be refused do not fit one step`);
  const unconditional = others.filter((write) => !canFail(write));
  return { first, steps: [...filledUp(last, bundles(unconditional), size), last] };
}

/** Adds bundles to the last step until it is full. Returns the steps before it, which hold the others. */
function filledUp(last: Write[], bundled: Iterable<readonly Write[]>, size: number): readonly Write[][] {
  const earlier: Write[][] = [];
  let step = last;
  for (const bundle of bundled) {
    if (bundle.length > size)
      throw new Error(`${bundle.length} writes that belong together do not fit one step`);
    if (step.length + bundle.length > size) {
      step = [];
      earlier.push(step);
    }
    step.push(...bundle);
  }
  return earlier;
}

/** Groups writes that belong together: a count and what it counts. */
const bundles = (unconditional: readonly Write[]): Iterable<readonly Write[]> =>
  Map.groupBy(
    unconditional,
    (write) => (write.kind === "insert" ? write.countedBy : undefined) ?? mergeKeyOf(write),
  ).values();

/** Locks a write's item for the saga, from its insert on, so that the write can't fail later. */
function locking(write: Conditional, saga: string): Conditional {
  if (write.kind === "insert") return { ...write, item: { ...write.item, [sagaAttribute]: saga } };
  const { table, key, when, rejection } = write;
  return { kind: "change", table, key, set: { [sagaAttribute]: saga }, when, rejection };
}

/** Stores a write of a locked item and unlocks the item. */
function unlocking(write: Conditional, saga: string): Conditional {
  const when = [{ attribute: sagaAttribute, equals: saga }];
  switch (write.kind) {
    case "insert": {
      const { table, item, rejection } = write;
      const key = { pk: item.pk, sk: item.sk };
      return { kind: "change", table, key, remove: [sagaAttribute], when, rejection };
    }
    case "change":
      return { ...write, when, remove: [...(write.remove ?? []), sagaAttribute] };
    case "removal":
      return { ...write, when };
  }
}

/** Built at first use: few calls store sagas, but every function that writes has this module. */
const storedWrite = z.lazy(() => {
  const table = z.enum(tableNames);
  const key = storedKey;
  const attribute = primitive.text;
  const counters = z.record(primitive.text, primitive.number);
  const when = z.readonly(
    z.array(
      z.union([
        z.object({ attribute, is: z.enum(["present", "absent"]) }),
        z.object({ attribute, equalsOrNew: primitive.number }),
        z.object({ attribute, atLeast: primitive.number }),
        z.object({ attribute, atMost: z.union([primitive.text, primitive.number]) }),
        // Last, because it accepts the others as well.
        z.object({ attribute, equals: primitive.unknown }),
      ]),
    ),
  );
  const own = z.exactOptional(primitive.boolean);
  return z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("insert"),
      table,
      item: z.looseObject({ pk: primitive.text, sk: primitive.text }),
      own,
    }),
    z.object({
      kind: z.literal("change"),
      table,
      key,
      set: z.exactOptional(primitive.record),
      remove: z.exactOptional(z.readonly(z.array(primitive.text))),
      add: z.exactOptional(counters),
      append: z.exactOptional(z.record(primitive.text, z.readonly(z.array(primitive.unknown)))),
      when,
      own,
    }),
    z.object({
      kind: z.literal("count"),
      table,
      key,
      add: counters,
      set: z.exactOptional(z.record(primitive.text, primitive.text)),
      slot: z.exactOptional(primitive.number),
    }),
    z.object({ kind: z.literal("removal"), table, key, when }),
  ]);
});

const storedSteps = z.array(z.array(storedWrite));

/** The steps as stored: compressed, and without rejections, since none of their conditions can fail. */
export const packSteps = (steps: SagaPlan["steps"]): Uint8Array =>
  gzipSync(serialize(steps.map((writes) => writes.map((write) => z.parse(storedWrite, toStored(write))))));

/** With the names that release 1.0.0 stores: `slot` is a count's shard, `own` marks what can't fail. */
function toStored(write: Write): z.input<typeof storedWrite> {
  switch (write.kind) {
    case "removal":
      return write;
    case "count":
      return write.shard === undefined ? write : { ...write, slot: write.shard };
    case "insert":
      return write.neverFails === undefined ? write : { ...write, own: write.neverFails };
    case "change":
      return write.ignoresLocks === undefined ? write : { ...write, own: write.ignoresLocks };
  }
}

function fromStored(write: z.output<typeof storedWrite>): Write {
  switch (write.kind) {
    case "removal":
      return write;
    case "count": {
      const { slot, ...count } = write;
      return slot === undefined ? count : { ...count, shard: slot };
    }
    case "insert": {
      const { own, ...insert } = write;
      return own === undefined ? insert : { ...insert, neverFails: own };
    }
    case "change": {
      const { own, ...change } = write;
      return own === undefined ? change : { ...change, ignoresLocks: own };
    }
  }
}

/** @throws Unreadable if the bytes are not those of `packSteps` */
export const unpackSteps = (bytes: Uint8Array): SagaPlan["steps"] =>
  parsedSteps(bytes).map((writes) => writes.map(fromStored));

function parsedSteps(bytes: Uint8Array): z.output<typeof storedSteps> {
  try {
    return z.parse(storedSteps, deserialize(gunzipSync(bytes)));
  } catch (cause) {
    throw new Unreadable("the bytes are not those of packed writes", { cause });
  }
}
