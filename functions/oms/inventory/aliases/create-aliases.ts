import { aliasInput, newAlias } from "../../../../shared/catalog/aliases/alias.ts";
import {
  readAliasReferences,
  resolveNewAliases,
} from "../../../../shared/catalog/aliases/alias-references.ts";
import { aliases, aliasList } from "../../../../shared/catalog/aliases/alias-repository.ts";
import { aliasRecord } from "../../../../shared/catalog/aliases/alias-view.ts";
import { valuesOf } from "../../../../shared/common/placed.ts";
import { defineBulk } from "../../../../shared/http/bulk/bulk-call.ts";
import { createEach } from "../../../../shared/http/bulk/create-each.ts";
import { registryReadAccess } from "../../../../shared/registries/registry-repository.ts";

export const { endpoint, handler } = defineBulk(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/aliases",
    summary: "Create aliases: what a channel, or every channel, calls products",
    input: aliasInput,
    record: aliasRecord,
    access: { inventory: "write-records", ...registryReadAccess("stores", "distributionCenters") },
  },
  async (data, context) => {
    const { db, account_id } = context;
    return createEach(context, {
      list: aliasList,
      inputs: resolveNewAliases(data, await readAliasReferences(db, account_id, valuesOf(data))),
      plan: (drafts) =>
        drafts.map(({ value: terms, id: alias_id, at, path }) => {
          const alias = newAlias(terms, { account_id, alias_id, at });
          return { result: alias, writes: aliases.insert(alias, path) };
        }),
    });
  },
);
