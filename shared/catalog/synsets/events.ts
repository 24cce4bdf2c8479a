import * as z from "zod/mini";
import { recordEvents } from "../../events/kind.ts";
import { eventCatalog } from "../../events/types.ts";
import { synset } from "./synset.ts";
import { synsetList } from "./synset-repository.ts";
import { synsetRecord } from "./synset-view.ts";

/** A synset as clients see it, without the fields that depend on stock, which has its own events. */
export const synsetInEvents = z.omit(synsetRecord, { available: true, limited_by: true });

export const synsetEvents = recordEvents({
  ...eventCatalog.synset,
  version: "2026-11-22",
  record: synsetInEvents,
  list: synsetList,
  stored: synset,
  idOf: ({ synset_id }) => synset_id,
  typesOf: (before) => [before === undefined ? "synset.created" : "synset.updated"],
});
