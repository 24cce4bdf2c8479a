import { aliases, aliasIdByText } from "../data/aliases.ts";
import type { Alias } from "../domain/catalog/alias.ts";
import { idIn } from "../domain/fields.ts";
import { notFound } from "../domain/problem.ts";
import type { Database } from "../store/database.ts";

/**
 * The account's alias with this id or, where no alias has it, with this text: in the channel, where one is given, else
 * the newest (docs/decisions.md, Aliases).
 * @throws Problem `not_found`
 */
export async function getAlias(
  db: Database,
  accountId: number,
  identifier: string,
  channelId?: number,
): Promise<Alias> {
  const aliasId = idIn(identifier);
  const [byId, idByText] = await Promise.all([
    aliasId === undefined ? undefined : aliases.find(db, accountId, aliasId),
    aliasIdByText(db, accountId, identifier, channelId),
  ]);
  const found = byId ?? (idByText === undefined ? undefined : await aliases.find(db, accountId, idByText));
  if (found !== undefined) return found;
  const place = channelId === undefined ? "" : ` in channel ${channelId}`;
  throw notFound(`There is no alias with the id or text ${identifier}${place}`);
}
