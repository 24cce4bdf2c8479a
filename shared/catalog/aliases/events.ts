import { recordEvents } from "../../events/kind.ts";
import { eventCatalog } from "../../events/types.ts";
import { alias } from "./alias.ts";
import { aliasList } from "./alias-repository.ts";
import { aliasRecord } from "./alias-view.ts";

export const aliasEvents = recordEvents({
  ...eventCatalog.alias,
  version: "2026-11-22",
  record: aliasRecord,
  list: aliasList,
  stored: alias,
  idOf: ({ alias_id }) => alias_id,
  typesOf: (before) => [before === undefined ? "alias.created" : "alias.updated"],
});
