import { createHash } from "node:crypto";
import { Problem } from "../domain/problem.ts";
import type { Database } from "../store/database.ts";
import { joined, only } from "../store/keys.ts";
import { getItem, type Lookup, type RawItem } from "../store/reads.ts";
import { Busy, patienceAtEnd, withBudget } from "../store/retry.ts";
import { transact, untilFresh } from "../store/transact.ts";
import { type Change, stale } from "../store/writes.ts";

/**
 * Attempts to sign in, counted by user name, whether anyone has it or not.
 *
 * A name has as many places as it may fail within the window. An attempt takes one before anything is checked, so that
 * guesses made at the same time count as well, and gives it back if it succeeds; else the place stays taken for the
 * length of the window. A success therefore forgives no earlier failure: who knows the password can't guess codes
 * without end by logging in between the guesses. An attempt that the service is too busy for gives its place back, too.
 */
const places = ["failure_1", "failure_2", "failure_3", "failure_4", "failure_5"] as const;
type Place = (typeof places)[number];

/** How long a failure counts, in milliseconds (docs/decisions.md, Failed sign-ins). */
const window = 15 * 60_000;

/** An attempt under way. */
interface Attempt {
  readonly lookup: Lookup;
  readonly place: Place;
}

/** Names are kept by their hash: people type passwords into the wrong field. */
export const attemptsLookup = (userName: string): Lookup => ({
  table: "identity",
  key: { pk: joined("attempts", createHash("sha256").update(userName).digest("base64url")), sk: only },
});

/** When the place was taken, epoch milliseconds. */
function takenAt(item: RawItem, place: Place): number | undefined {
  const at = item[place];
  return typeof at === "number" ? at : undefined;
}

/**
 * Runs an attempt of this user name to sign in. `signIn` stores the write that it is given with what it stores.
 * @throws Problem `too_many` as `countAttempt`; what `signIn` throws
 */
export async function attempting<T>(
  db: Database,
  userName: string,
  signIn: (succeeded: Change) => Promise<T>,
): Promise<T> {
  const succeeded = forget(await countAttempt(db, userName));
  try {
    return await signIn(succeeded);
  } catch (error) {
    if (error instanceof Busy) await withBudget(() => transact(db, [succeeded]), patienceAtEnd);
    throw error;
  }
}

/**
 * Counts an attempt of this user name as failed until it is forgotten.
 * @throws Problem `too_many` where as many have failed, or are under way, as may; it says when one counts no longer
 */
const countAttempt = (db: Database, userName: string): Promise<Attempt> =>
  untilFresh(async () => {
    const lookup = attemptsLookup(userName);
    const item = (await getItem(db, lookup)) ?? {};
    const now = Date.now();
    const taken = places.map((place) => ({ place, at: takenAt(item, place) }));
    const free = taken.filter(({ at }) => at === undefined || at <= now - window);
    const chosen = free[Math.floor(Math.random() * free.length)];
    if (chosen === undefined) throw tooMany(Math.min(...taken.map(({ at = now }) => at)) + window - now);
    const { place, at } = chosen;
    const change: Change = {
      kind: "change",
      ...lookup,
      set: { [place]: now, expires_at: Math.ceil((now + window) / 1000) },
      when: [at === undefined ? { attribute: place, is: "absent" } : { attribute: place, equals: at }],
      refusal: stale,
    };
    await transact(db, [change]);
    return { lookup, place };
  });

const tooMany = (milliseconds: number): Problem =>
  new Problem("too_many", "Too many sign-ins of this user have failed; try again later", {
    retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)),
  });

/** The attempt succeeded: it does not count. */
const forget = ({ lookup, place }: Attempt): Change => ({
  kind: "change",
  ...lookup,
  remove: [place],
  when: [],
  refusal: stale,
});
