/** How many requests accounts may send. */
import { account, accountLookup } from "../../shared/data/accounts.ts";
import { parsed } from "../../shared/data/registries.ts";
import { tieBucket } from "../../shared/data/request-buckets.ts";
import { notFound } from "../../shared/domain/problem.ts";
import { largestBurst, mostPerSecond, type RequestLimit } from "../../shared/domain/request-limit.ts";
import type { Database } from "../../shared/store/database.ts";
import { getItem } from "../../shared/store/reads.ts";
import { transact, untilFresh } from "../../shared/store/transact.ts";
import { type Change, stale } from "../../shared/store/writes.ts";
import { type CommandGroup, number, Usage, type Values } from "./command.ts";

/**
 * Sets how many requests an account may send, or, without a limit, that it may send as many as it likes.
 * @throws Problem `not_found` where there is no such account
 */
export const limitRequests = (db: Database, accountId: number, limit?: RequestLimit): Promise<void> =>
  untilFresh(async () => {
    const lookup = accountLookup(accountId);
    const found = parsed(account, await getItem(db, lookup));
    if (found === undefined) throw notFound(`There is no account ${accountId}`);
    const { key_hash } = found;
    const change: Change = {
      kind: "change",
      ...lookup,
      ...(limit === undefined ? { remove: ["limit"] } : { set: { limit } }),
      when: [{ attribute: "key_hash", equals: key_hash }],
      refusal: stale,
    };
    await transact(db, [change, tieBucket(accountId, key_hash)]);
  });

const bounded = (value: string | undefined, what: string, most: number): number => {
  const count = number(value, what);
  if (count > most) throw new Usage(`${what} must be at most ${most}`);
  return count;
};

const limitOf = ([perSecond, burst]: Values): RequestLimit | undefined =>
  perSecond === "off"
    ? undefined
    : {
        per_second: bounded(perSecond, "PER_SECOND", mostPerSecond),
        burst: bounded(burst, "BURST", largestBurst),
      };

export const limitCommands: CommandGroup = {
  tables: ["identity"],
  commands: {
    "limit-requests": async (db, [id, ...values]) => {
      const accountId = number(id, "ACCOUNT");
      const limit = limitOf(values);
      await limitRequests(db, accountId, limit);
      return limit === undefined
        ? `Account ${accountId} may send as many requests as it likes.`
        : `Account ${accountId} may send ${limit.per_second} requests a second, and ${limit.burst} at once.`;
    },
  },
};
