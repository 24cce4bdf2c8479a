/** Writes as bytes, so that an item of the database can hold those that are still to be carried out. */
import { deserialize, serialize } from "node:v8";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { storedKey } from "../dynamodb/keys.ts";
import { Unreadable } from "../dynamodb/unreadable.ts";
import { stale, type Write } from "../dynamodb/writes.ts";
import { tableNames } from "../tables.ts";

/** Made at first use: few calls have writes to be carried out later, and every function has this module. */
const write = z.lazy(() => {
  const table = z.enum(tableNames);
  const key = storedKey;
  const attribute = primitive.text;
  const attributes = z.record(primitive.text, z.unknown());
  const counters = z.record(primitive.text, primitive.number);
  const when = z.array(
    z.union([
      z.object({ attribute, is: z.enum(["present", "absent"]) }),
      z.object({ attribute, equals: z.union([primitive.text, primitive.number]) }),
      z.object({ attribute, atLeast: primitive.number }),
      z.object({ attribute, atMost: z.union([primitive.text, primitive.number]) }),
    ]),
  );
  return z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("insert"),
      table,
      item: z.looseObject({ pk: primitive.text, sk: primitive.text }),
      own: z.exactOptional(primitive.boolean),
    }),
    z.object({
      kind: z.literal("change"),
      table,
      key,
      set: z.exactOptional(attributes),
      remove: z.exactOptional(z.array(primitive.text)),
      add: z.exactOptional(counters),
      append: z.exactOptional(z.record(primitive.text, z.array(z.unknown()))),
      when,
      own: z.exactOptional(primitive.boolean),
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

const transactions = z.array(z.array(write));

/** The writes of transactions, compressed. Their rejections are left out, since nobody is waiting for one. */
export const packed = (all: readonly (readonly Write[])[]): Uint8Array =>
  gzipSync(serialize(all.map((writes) => writes.map((one) => z.parse(write, one)))));

function parsed(bytes: Uint8Array) {
  try {
    return z.parse(transactions, deserialize(gunzipSync(bytes)));
  } catch (cause) {
    throw new Unreadable("the bytes are not those of packed writes", { cause });
  }
}

/** The writes that were packed. @throws Unreadable where the bytes are not those of `packed` */
export function unpacked(bytes: Uint8Array): readonly (readonly Write[])[] {
  const all = parsed(bytes);
  return all.map((writes) =>
    writes.map((one) => (one.kind === "count" ? one : { ...one, rejection: stale })),
  );
}
