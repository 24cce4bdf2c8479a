import { hiddenName, isPresent } from "../../common/fields.ts";
import { type Placed, resolveEach, valuesOf } from "../../common/placed.ts";
import { duplicatePositions, type FieldError } from "../../common/problem.ts";
import { registryErrors } from "../../registries/registry.ts";
import {
  distributionCenterIn,
  type Reference,
  readRegistered,
  referenceLookups,
} from "../../registries/registry-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems, parsed } from "../../store/dynamodb/reads.ts";
import { nameLookup, skuIn } from "../name-repository.ts";
import { skuError } from "../names.ts";
import { type Alias, type AliasInput, type AliasTerms, channelInWords } from "./alias.ts";
import { type AliasName, aliasEntry, aliasEntryLookup } from "./alias-names.ts";

/**
 * Reads everything that the aliases of a call refer to, and which of their names are taken. One round trip,
 * and one more if a reference is unknown.
 */
export async function readAliasReferences(db: Database, accountId: number, aliases: readonly AliasInput[]) {
  const references = aliases.flatMap(({ channel_id, distribution_center }): readonly Reference[] => [
    ["store_id", channel_id],
    ["distribution_center", distribution_center],
  ]);
  const find = await getItems(db, [
    ...referenceLookups(accountId, references),
    ...aliases.flatMap(({ sku, alias, channel_id = null }) => [
      nameLookup(accountId, sku),
      aliasEntryLookup(accountId, { alias, channel_id }),
    ]),
  ]);
  return {
    registered: await readRegistered(db, accountId, references, find),
    product: (sku: string) => skuIn(find(nameLookup(accountId, sku))),
    center: (code: string) => distributionCenterIn(find, code),
    /** The id of the alias with this name; undefined if the name is free. */
    holder: (name: AliasName) => parsed(aliasEntry, find(aliasEntryLookup(accountId, name)))?.alias_id,
  };
}
export type AliasReferences = Awaited<ReturnType<typeof readAliasReferences>>;

interface AliasPosition {
  readonly path: string;
  /** Whether an earlier record of the call has the same name. */
  readonly repeats: boolean;
  /** The alias as it is stored, if the call changes it. */
  readonly before?: Pick<Alias, "alias_id" | "alias">;
}

/**
 * The positions at which an earlier alias has the same text and channel. "Every channel" counts as a channel.
 */
export const duplicateNames = (aliases: readonly Pick<AliasInput, "alias" | "channel_id">[]) =>
  duplicatePositions(aliases.map(({ alias, channel_id = null }) => JSON.stringify([channel_id, alias])));

/** The terms of an alias, unless a reference of it names nothing. What is wrong is added to `errors`. */
export function resolveAlias(
  { sku, alias, channel_id = null, distribution_center }: AliasInput,
  references: AliasReferences,
  { path, repeats, before }: AliasPosition,
  errors: FieldError[],
): AliasTerms | undefined {
  const { registered } = references;
  const product = references.product(sku);
  const center = isPresent(distribution_center) ? references.center(distribution_center) : undefined;
  const holder = references.holder({ alias, channel_id });
  if (product === undefined) errors.push(skuError(sku, path));
  errors.push(...hiddenName(`${path}.alias`, alias, before?.alias));
  if (repeats) errors.push({ path: `${path}.alias`, message: `is in this call twice (${alias})` });
  else if (holder !== undefined && holder !== before?.alias_id)
    errors.push(takenAlias({ alias, channel_id }, path));
  errors.push(
    ...registryErrors("store_id", channel_id, registered, `${path}.channel_id`),
    ...registryErrors("distribution_center", distribution_center, registered, `${path}.distribution_center`),
  );
  return (
    product && {
      sku,
      product_id: product.product_id,
      alias,
      channel_id,
      distribution_center: center?.code ?? null,
      distribution_center_id: center?.distribution_center_id ?? null,
    }
  );
}

export const takenAlias = ({ alias, channel_id }: AliasName, path: string): FieldError => ({
  path: `${path}.alias`,
  message: `already exists ${channelInWords(channel_id)} (${alias})`,
  code: "already_exists",
});

/**
 * Finds what each alias of a create call refers to.
 * @throws Problem `invalid` with everything that is wrong in any of them
 */
export function resolveNewAliases(
  inputs: readonly Placed<AliasInput>[],
  references: AliasReferences,
): readonly Placed<AliasTerms>[] {
  const duplicates = duplicateNames(valuesOf(inputs));
  return resolveEach(inputs, (input, path, errors, index) =>
    resolveAlias(input, references, { path, repeats: duplicates.has(index) }, errors),
  );
}
