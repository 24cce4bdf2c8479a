import * as z from "zod/mini";
import { laterOf } from "../days.ts";
import { id, name, optionalText } from "../fields.ts";
import { type FieldError, invalidAt } from "../problem.ts";

/** What a client sends to create an alias: a channel's name for one of the account's products. */
export const aliasInput = z.object({
  sku: name,
  alias: name,
  /** The id of the store that uses it. */
  channel_id: id,
  distribution_center: optionalText(),
});
export type AliasInput = z.output<typeof aliasInput>;

/** What a client sends to change one: any of its fields, found by `alias_id`, else by `alias` with `channel_id`. */
export const aliasPatch = z.extend(z.partial(aliasInput), { alias_id: z.optional(id) });
export type AliasPatch = z.output<typeof aliasPatch>;

/** An alias (translator). Its distribution center is what the channel says of it; orders are reserved in the product's. */
export const alias = z.object({
  account_id: z.int(),
  alias_id: z.int(),
  sku: z.string(),
  product_id: z.int(),
  alias: z.string(),
  channel_id: z.int(),
  distribution_center: z.nullable(z.string()),
  distribution_center_id: z.nullable(z.int()),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
export type Alias = z.output<typeof alias>;

/** What of an alias a client decides, and what its references stand for. */
export type AliasTerms = Omit<Alias, "account_id" | "alias_id" | "created_at" | "updated_at" | "version">;

/** A newly created alias. */
export const created = (
  terms: AliasTerms,
  { account_id, alias_id, at }: { account_id: number; alias_id: number; at: string },
): Alias => ({ ...terms, account_id, alias_id, created_at: at, updated_at: at, version: 1 });

/** What the alias is asked to be: the fields that were sent; the others stay as they are. */
export const requested = (before: Alias, sent: AliasPatch): AliasInput => ({
  sku: sent.sku ?? before.sku,
  alias: sent.alias ?? before.alias,
  channel_id: sent.channel_id ?? before.channel_id,
  distribution_center: sent.distribution_center ?? before.distribution_center ?? undefined,
});

/** The alias on its new terms. */
export const patched = (before: Alias, terms: AliasTerms, at: string): Alias => ({
  ...before,
  ...terms,
  updated_at: laterOf(at, before.updated_at),
  version: before.version + 1,
});

/** What an alias is found by: its id, or its text in a channel, which is unique in the account. */
export type AliasKey = Pick<Alias, "alias_id"> | Pick<Alias, "alias" | "channel_id">;

/** One record of a PATCH call, which alias it is about, and where the request holds it (`data.0`). */
export interface AliasChange {
  readonly key: AliasKey;
  readonly sent: AliasPatch;
  readonly path: string;
}

function keyIn({ alias_id, alias, channel_id }: AliasPatch): AliasKey | undefined {
  if (alias_id !== undefined) return { alias_id };
  return alias === undefined || channel_id === undefined ? undefined : { alias, channel_id };
}

/**
 * Which alias each record of a PATCH call is about (docs/decisions.md, Finding records).
 * @throws Problem `invalid` with every record that does not say
 */
export function identified(patches: readonly AliasPatch[]): readonly AliasChange[] {
  const errors: FieldError[] = [];
  const changes = patches.flatMap((sent, position) => {
    const path = `data.${position}`;
    const key = keyIn(sent);
    if (key !== undefined) return [{ key, sent, path }];
    errors.push({ path: `${path}.alias_id`, message: "is required, or alias and channel_id in its place" });
    return [];
  });
  if (errors.length > 0) throw invalidAt(errors);
  return changes;
}
