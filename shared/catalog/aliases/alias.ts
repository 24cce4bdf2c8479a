import * as z from "zod/mini";
import { anyText, clearable, expectedVersion, id, name, optionalId } from "../../common/fields.ts";
import { type Placed, resolveEach } from "../../common/placed.ts";
import * as primitive from "../../common/primitives.ts";
import { nextVersion, patchedValue } from "../../common/versioned.ts";
import type { AliasName } from "./alias-names.ts";

/**
 * The input to create an alias: the name that a channel, or every channel, uses for a product of the account.
 */
export const aliasInput = z.object({
  sku: name,
  alias: name,
  /** The id of the store that uses the alias. Null or absent for every channel. */
  channel_id: clearable(id),
  distribution_center: clearable(anyText()),
});
export type AliasInput = z.output<typeof aliasInput>;

/**
 * The input to change an alias: `alias_id`, or `alias` with `channel_id`, and the fields to change. A
 * `channel_id` of null stands for every channel.
 */
export const aliasPatch = z.extend(z.partial(aliasInput), {
  alias_id: optionalId,
  version: expectedVersion,
});
type AliasPatch = z.output<typeof aliasPatch>;

/** An alias. Its distribution center is informational: orders are reserved in the product's center. */
export const alias = z.object({
  account_id: primitive.int,
  alias_id: primitive.int,
  sku: primitive.text,
  product_id: primitive.int,
  alias: primitive.text,
  /** Null if the alias is for every channel. */
  channel_id: primitive.intOrNull,
  distribution_center: primitive.textOrNull,
  distribution_center_id: primitive.intOrNull,
  ...primitive.versionFields,
});
export type Alias = z.output<typeof alias>;

/** The part of an alias that clients set, with its references resolved to ids. */
export type AliasTerms = Omit<Alias, "account_id" | "alias_id" | "created_at" | "updated_at" | "version">;

export const newAlias = (
  terms: AliasTerms,
  { account_id, alias_id, at }: { account_id: number; alias_id: number; at: string },
): Alias => ({ ...terms, account_id, alias_id, ...primitive.firstVersion(at) });

/** The requested alias: the sent fields, and the previous values of all others. Null clears a field. */
export const aliasInputOf = (before: Alias, sent: AliasPatch): AliasInput => ({
  sku: sent.sku ?? before.sku,
  alias: sent.alias ?? before.alias,
  channel_id: patchedValue(before.channel_id, sent.channel_id, null),
  distribution_center: patchedValue(before.distribution_center, sent.distribution_center, null),
});

export const patchAlias = (before: Alias, terms: AliasTerms, at: string): Alias =>
  nextVersion(before, terms, at);

/** The channel of an alias in words: `in channel 2`. */
export const channelInWords = (channelId: number | null): string =>
  channelId === null ? "for every channel" : `in channel ${channelId}`;

/** An alias is found by its id or by its name. Both are unique in the account. */
export type AliasKey = Pick<Alias, "alias_id"> | AliasName;

/** One record of a PATCH call: the fields sent, and the key of its alias. */
export type AliasChange = AliasPatch & { readonly key: AliasKey };

function keyIn({ alias_id, alias, channel_id = null }: AliasPatch): AliasKey | undefined {
  if (alias_id !== undefined) return { alias_id };
  return alias === undefined ? undefined : { alias, channel_id };
}

/**
 * Reads the key of the alias from each record of a PATCH call (docs/decisions.md, Finding records).
 * @throws Problem `invalid` with every record that has no key
 */
export function identifyAliases(patches: readonly Placed<AliasPatch>[]): readonly Placed<AliasChange>[] {
  return resolveEach(patches, (sent, path, errors) => {
    const key = keyIn(sent);
    if (key !== undefined) return { ...sent, key };
    errors.push({
      path: `${path}.alias_id`,
      message: "is required, unless alias is sent, with channel_id if the alias is for one channel",
    });
    return undefined;
  });
}
