import { alias } from "../../domain/catalog/alias.ts";
import { statements } from "../../domain/events/types.ts";
import { aliasRecord } from "../../http/records/alias.ts";
import { aliasList } from "../../store/lists/definitions.ts";
import { recordKind } from "../record-kind.ts";

export const aliasKind = recordKind({
  ...statements.alias,
  version: "2026-11-22",
  record: aliasRecord,
  list: aliasList,
  stored: alias,
  idOf: ({ alias_id }) => alias_id,
  present: (stored) => stored,
  typesOf: (before) => [before === undefined ? "alias.created" : "alias.updated"],
});
