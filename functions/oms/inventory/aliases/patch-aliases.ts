import {
  type AliasChange,
  type AliasKey,
  aliasInputOf,
  aliasPatch,
  channelInWords,
  identifyAliases,
  patchAlias,
} from "../../../../shared/catalog/aliases/alias.ts";
import {
  duplicateNames,
  readAliasReferences,
  resolveAlias,
} from "../../../../shared/catalog/aliases/alias-references.ts";
import { findAliases, saveAlias } from "../../../../shared/catalog/aliases/alias-repository.ts";
import { aliasReadOnly, aliasRecord } from "../../../../shared/catalog/aliases/alias-view.ts";
import { type FieldError, invalidAt } from "../../../../shared/common/problem.ts";
import { defineBulk } from "../../../../shared/http/bulk/bulk-call.ts";
import { patchEach, type RecordName } from "../../../../shared/http/bulk/patch-each.ts";
import { registryReadAccess } from "../../../../shared/registries/registry-repository.ts";

/** Later orders get the product that the alias means from then on. Earlier orders keep theirs. */
export const { endpoint, handler } = defineBulk(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/inventory/aliases",
    summary:
      "Change aliases, found by alias_id, else by alias and channel_id (without one, for every channel)",
    input: aliasPatch,
    record: aliasRecord,
    readOnly: aliasReadOnly,
    bodyNamesRecord: true,
    takesVersion: true,
    access: { inventory: "write-records", ...registryReadAccess("stores", "distributionCenters") },
  },
  async (data, context) => {
    const { db, account_id, now } = context;
    return patchEach(context, identifyAliases(data), {
      title: "alias",
      nameOf: ({ key }) => nameOf(key),
      read: async (changes) => {
        const findByKey = await findAliases(
          db,
          account_id,
          changes.map(({ key }) => key),
        );
        const find = ({ key }: AliasChange) => findByKey(key);
        const inputs = changes.flatMap((change) => {
          const before = find(change);
          return before === undefined ? [] : [aliasInputOf(before.record, change)];
        });
        return { find, references: await readAliasReferences(db, account_id, inputs) };
      },
      plan: (found, references) => {
        const changes = found.map(({ before, path, value: sent }) => ({
          before,
          path,
          input: aliasInputOf(before.record, sent),
        }));
        const takenNames = duplicateNames(changes.map(({ input }) => input));
        return changes.map(({ before, path, input }, index) => {
          const position = { path, repeats: takenNames.has(index), before: before.record };
          const errors: FieldError[] = [];
          const terms = resolveAlias(input, references, position, errors);
          if (terms === undefined || errors.length > 0) return { problem: invalidAt(errors) };
          const after = patchAlias(before.record, terms, now);
          return { result: after, writes: saveAlias(before, after, path) };
        });
      },
    });
  },
);

function nameOf(key: AliasKey): RecordName {
  if ("alias_id" in key) {
    return { field: "alias_id", value: key.alias_id, words: `alias with alias_id ${key.alias_id}` };
  }
  const hint = key.channel_id === null ? "; a channel's own is named with its channel_id" : "";
  return {
    field: "alias",
    value: key.alias,
    words: `alias ${key.alias} ${channelInWords(key.channel_id)}${hint}`,
  };
}
