/**
 * The meaning of every field of the interface, once for all operations, with an example. A field with another
 * meaning in one place has an entry of its own for that place: `cart.id` is the field `id` of a `cart`.
 */

import { answers } from "./words/answers.ts";
import { events } from "./words/events.ts";
import { goods } from "./words/goods.ts";
import { orders } from "./words/orders.ts";
import { webhooks } from "./words/webhooks.ts";
import type { Word, Words } from "./words/word.ts";

const words: Words = { ...answers, ...orders, ...goods, ...events, ...webhooks };

/** The fields of a change. Their values are those of the changed field. */
const sidesOfChange: ReadonlySet<string | undefined> = new Set(["from", "to"]);

/** Calls whose bodies are the queries of other calls, with the same meaning. */
const sameQuery: ReadonlyMap<string | undefined, string> = new Map([
  ["v2GetOrders", "listOrders"],
  ["v2GetProducts", "listProducts"],
  ["v2GetStock", "listStock"],
]);

/**
 * The word of a field. `path` are the names of the fields that lead to it, starting with the operation or the
 * record. The entry that matches most names at the path's end is chosen.
 * @throws Error if there is no entry for the field
 */
export function wordFor(path: readonly string[]): Word {
  const word = entryFor(path);
  const [, example = word.example] = sidesOfChange.has(path.at(-1)) ? (words[path.at(-2) ?? ""] ?? []) : [];
  return { ...word, example };
}

function entryFor(path: readonly string[]): Word {
  for (const depth of [2, 1]) {
    const [first, ...others] = path.slice(-depth);
    const [description, example] = words[[sameQuery.get(first) ?? first, ...others].join(".")] ?? [];
    if (description !== undefined) return { description, example };
  }
  throw new Error(`${path.join(".")} is not described: add it to infra/documents/openapi/words`);
}

/** The names of all words, for the test that each is used. */
export const vocabulary: readonly string[] = Object.keys(words);
