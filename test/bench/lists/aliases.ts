import { created } from "../../../shared/catalog/aliases/alias.ts";
import { insertAlias } from "../../../shared/catalog/aliases/alias-repository.ts";
import { aliasList } from "../../../shared/store/lists/definitions.ts";
import { accountId, type BenchedList } from "./benched-list.ts";

/** Ten channels; every fifth alias is the east's, as far as its channel says. */
const channelOf = (position: number): number => 1 + (position % 10);
const isEast = (position: number): boolean => position % 5 === 0;

export const aliases: BenchedList = {
  name: "aliases",
  path: "/inventory/aliases",
  list: aliasList,
  writesAt: (alias_id, position, at) => {
    const terms = {
      sku: `SKU-${position}`,
      product_id: 1000 + position,
      alias: `BENCH-${position}`,
      channel_id: channelOf(position),
      distribution_center: isEast(position) ? "EAST" : null,
      distribution_center_id: isEast(position) ? 2 : null,
    };
    return insertAlias(created(terms, { account_id: accountId, alias_id, at }), "bench");
  },
  filters: [
    { name: "unfiltered", query: "", matches: () => true },
    { name: "channel", query: "channel_id=3&", matches: (position) => channelOf(position) === 3 },
    { name: "center", query: "distribution_center=EAST&", matches: isEast },
  ],
};
