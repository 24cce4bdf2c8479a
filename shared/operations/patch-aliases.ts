import { readAliasReferences } from "../data/alias-references.ts";
import { findAliases, saveAlias } from "../data/aliases.ts";
import {
  type Alias,
  type AliasChange,
  type AliasInput,
  type AliasKey,
  type AliasPatch,
  identified,
  patched,
  requested,
} from "../domain/catalog/alias.ts";
import { type AliasReferences, repeatingNames, resolveAlias } from "../domain/catalog/alias-references.ts";
import { type FieldError, invalidAt, notFound, type Problem } from "../domain/problem.ts";
import { repeating } from "../domain/repeats.ts";
import { type Outcome, type Plan, storeEach } from "../store/bulk.ts";
import type { Database } from "../store/database.ts";

/**
 * Changes the fields that were sent of aliases found by id, or by text and channel. Later orders get the product that
 * the alias stands for then; earlier ones keep theirs.
 * @throws Problem `not_found` or `invalid`, with nothing stored, where any record is wrong
 */
export async function patchAliases(
  db: Database,
  { account_id, now }: { readonly account_id: number; readonly now: string },
  patches: readonly AliasPatch[],
): Promise<readonly Outcome<Alias>[]> {
  return storeEach(db, identified(patches), async (open) => {
    const find = await findAliases(
      db,
      account_id,
      open.map(({ key }) => key),
    );
    const found = open.flatMap((change) => {
      const before = find(change.key);
      return before === undefined ? [] : [{ ...change, before, input: requested(before, change.sent) }];
    });
    const references = await readAliasReferences(
      db,
      account_id,
      found.map(({ input }) => input),
    );
    const plans = planChanges(found, references, now);
    return open.map(({ key, path }) => plans.get(path) ?? { problem: unknownAlias(key, path) });
  });
}

/** A change of an alias that is there, and what the alias is asked to be. */
interface Found extends AliasChange {
  readonly before: Alias;
  readonly input: AliasInput;
}

/** The plan for each alias of a call, by where the call holds it. */
function planChanges(
  found: readonly Found[],
  references: AliasReferences,
  now: string,
): ReadonlyMap<string, Plan<Alias>> {
  const isRepeated = repeating(found.map(({ before }) => before.alias_id));
  const hasRepeatedName = repeatingNames(found.map(({ input }) => input));
  const planOne = (position: number, { key, path, before, input }: Found): Plan<Alias> => {
    if (isRepeated(position)) return { problem: invalidAt([keyError(key, path, "is in this call twice")]) };
    const place = { path, repeats: hasRepeatedName(position), own: before.alias_id };
    const resolved = resolveAlias(input, references, place);
    if ("errors" in resolved) return { problem: invalidAt(resolved.errors) };
    const after = patched(before, resolved.terms, now);
    return { result: after, writes: saveAlias(before, after, path) };
  };
  return new Map(found.map((change, position) => [change.path, planOne(position, change)]));
}

/** An error at the place where a record names its alias. */
const keyError = (key: AliasKey, path: string, message: string): FieldError =>
  "alias_id" in key
    ? { path: `${path}.alias_id`, message: `${message} (${key.alias_id})` }
    : { path: `${path}.alias`, message: `${message} (${key.alias})` };

function unknownAlias(key: AliasKey, path: string): Problem {
  const what =
    "alias_id" in key ? `with alias_id ${key.alias_id}` : `${key.alias} in channel ${key.channel_id}`;
  return notFound(`There is no alias ${what}`, [keyError(key, path, "names no alias")]);
}
