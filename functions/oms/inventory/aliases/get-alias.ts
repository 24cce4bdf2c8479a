import * as z from "zod/mini";
import { aliases } from "../../../../shared/catalog/aliases/alias-repository.ts";
import { aliasRecord } from "../../../../shared/catalog/aliases/alias-view.ts";
import { aliasIdByText } from "../../../../shared/catalog/aliases/aliases-by-text.ts";
import { parseId } from "../../../../shared/common/fields.ts";
import { notFound } from "../../../../shared/common/problem.ts";
import { defineRead, idOrName } from "../../../../shared/http/lists/define-read.ts";
import { oneOf, positive } from "../../../../shared/http/lists/pagination.ts";

/**
 * The alias with this id or, if no alias has the id, with this text. With a channel, it is the alias that an
 * order of the channel would use; without one, the newest.
 */
export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/inventory/aliases/{alias}",
    summary: "Read one alias by id or text",
    request: z.object({
      params: z.object({ alias: idOrName }),
      query: z.object({
        channel_id: z.optional(positive()),
        identify_by: z.optional(oneOf(["alias_id", "alias"])),
      }),
    }),
    record: aliasRecord,
    access: { inventory: "read" },
  },
  async ({ params: { alias: text }, query: { channel_id, identify_by: by } }, { db, account_id }) => {
    const aliasId = by === "alias" ? undefined : parseId(text);
    const [byId, idByText] = await Promise.all([
      aliasId === undefined ? undefined : aliases.find(db, account_id, aliasId),
      by === "alias_id" ? undefined : aliasIdByText(db, account_id, text, channel_id),
    ]);
    const found = byId ?? (idByText === undefined ? undefined : await aliases.find(db, account_id, idByText));
    if (found !== undefined) return found.record;
    const inChannel = channel_id === undefined ? "" : ` in channel ${channel_id}`;
    throw notFound(`There is no alias with ${by ?? "the id or text"} ${text}${inChannel}`);
  },
);
