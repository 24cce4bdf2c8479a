import * as z from "zod/mini";
import { synset } from "../../domain/catalog/synset.ts";
import { statements } from "../../domain/events/types.ts";
import { synsetRecord } from "../../http/records/synset.ts";
import { synsetList } from "../../store/lists/definitions.ts";
import { recordKind } from "../record-kind.ts";

/** A synset as clients see it, without what its components' stock says: events of stock tell of that. */
export const synsetInEvents = z.omit(synsetRecord, { available: true, limited_by: true });

export const synsetKind = recordKind({
  ...statements.synset,
  version: "2026-11-22",
  record: synsetInEvents,
  list: synsetList,
  stored: synset,
  idOf: ({ synset_id }) => synset_id,
  present: (stored) => stored,
  typesOf: (before) => [before === undefined ? "synset.created" : "synset.updated"],
});
