import { readKitStock } from "../data/kit-stock.ts";
import { readSynsetReferences } from "../data/synset-references.ts";
import { findSynsets, saveSynset } from "../data/synsets.ts";
import type { KitStock } from "../domain/catalog/kit-stock.ts";
import { patched, type Synset, type SynsetPatch } from "../domain/catalog/synset.ts";
import {
  repeatedSynsets,
  resolveComponents,
  type SynsetReferences,
} from "../domain/catalog/synset-references.ts";
import { type FieldError, invalidAt, notFound, type Problem } from "../domain/problem.ts";
import { type Outcome, type Plan, storeEach } from "../store/bulk.ts";
import type { Database } from "../store/database.ts";

/**
 * Replaces the items of synsets found by name, where items were sent. Orders that were placed before stay as they are.
 * @throws Problem `not_found` or `invalid`, with nothing stored, where any record is wrong
 */
export async function patchSynsets(
  db: Database,
  { account_id, now }: { readonly account_id: number; readonly now: string },
  patches: readonly SynsetPatch[],
): Promise<readonly Outcome<Synset & KitStock>[]> {
  const repeated = repeatedSynsets(patches);
  if (repeated.length > 0) throw invalidAt(repeated);
  const records = patches.map((sent, position) => ({ sent, path: `data.${position}` }));
  return storeEach(db, records, async (open) => {
    const sent = open.map((record) => record.sent);
    const names = sent.map(({ synset }) => synset);
    const [references, synsets] = await Promise.all([
      readSynsetReferences(db, account_id, sent),
      findSynsets(db, account_id, names),
    ]);
    const changes = open.map((record) => decide(synsets.get(record.sent.synset), record, references, now));
    const stockOf = await readKitStock(
      db,
      account_id,
      changes.flatMap((change) => ("problem" in change ? [] : [change.after])),
    );
    return changes.map((change): Plan<Synset & KitStock> => {
      if ("problem" in change) return change;
      const { before, after } = change;
      return { result: { ...after, ...stockOf(after) }, writes: saveSynset(before, after) };
    });
  });
}

interface SentPatch {
  readonly sent: SynsetPatch;
  readonly path: string;
}

type Change = { readonly before: Synset; readonly after: Synset } | { readonly problem: Problem };

/** What becomes of one synset, or why it can't. */
function decide(
  before: Synset | undefined,
  { sent: { synset, items }, path }: SentPatch,
  references: SynsetReferences,
  now: string,
): Change {
  if (before === undefined) return { problem: unknownSynset(synset, path) };
  const errors: FieldError[] = [];
  const components = items === undefined ? undefined : resolveComponents(items, references, path, errors);
  if (errors.length > 0) return { problem: invalidAt(errors) };
  return { before, after: patched(before, components, now) };
}

const unknownSynset = (synset: string, path: string): Problem =>
  notFound(`There is no synset with the name ${synset}`, [
    { path: `${path}.synset`, message: `names no synset (${synset})` },
  ]);
