import { digestOf } from "../common/digest.ts";
import { Problem } from "../common/problem.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, only } from "../store/dynamodb/keys.ts";
import { getItems, type Lookup, type RawItem } from "../store/dynamodb/reads.ts";
import { Busy, cleanUpBudgetMs, withBudget } from "../store/dynamodb/retry.ts";
import { transact, untilFresh } from "../store/dynamodb/transact.ts";
import { type Change, stale } from "../store/dynamodb/writes.ts";
import { networkOf } from "./source.ts";

/**
 * Attempts to sign in, counted twice: by user name and source, and by user name over all sources; whether anyone has the name
 * or not (docs/decisions.md, Failed sign-ins).
 *
 * A counter has as many places as attempts may fail within the window. An attempt takes one in both counters before anything
 * is checked, so that guesses made at the same time count as well, and gives them back if it succeeds; else they stay taken
 * for the length of the window. A success therefore forgives no earlier failure: who knows the password can't guess codes
 * without end by logging in between the guesses. An attempt that the service is too busy for gives its places back, too.
 */
interface Counter {
  readonly lookup: Lookup;
  readonly places: readonly string[];
}

/** Who tries to sign in, as far as anybody knows. */
export interface Guess {
  readonly user_name: string;
  /** The address that the call came from. */
  readonly source: string;
}

/** Failures of a name from one source, and from all sources together. */
export const maxFailures = { ofSource: 5, ofName: 25 } as const;

/** What an attempt that failed was the last of. The name is locked, or its sign-ins from one source are. */
export type Exhausted = keyof typeof maxFailures;

/** How long a failure counts, in milliseconds. */
const window = 15 * 60_000;

/** Names are kept by their hash: people type passwords into the wrong field. */
const counterOf = (most: number, ...parts: readonly string[]): Counter => ({
  lookup: {
    table: "identity",
    key: {
      pk: joined("attempts", digestOf(...parts)),
      sk: only,
    },
  },
  places: Array.from({ length: most }, (_, position) => `failure_${position + 1}`),
});

/** Where the attempts of a guess are counted. */
export const countersOf = ({ user_name, source }: Guess): Readonly<Record<Exhausted, Counter>> => ({
  ofSource: counterOf(maxFailures.ofSource, user_name, networkOf(source)),
  ofName: counterOf(maxFailures.ofName, user_name),
});

/** An attempt under way: the place that it took in each counter, and the counters that have none left. */
interface Attempt {
  readonly taken: readonly { readonly lookup: Lookup; readonly place: string }[];
  readonly exhausted: readonly Exhausted[];
}

/**
 * Runs an attempt to sign in. `signIn` stores the writes that it is given with what it stores. `whenExhausted` is told where
 * the attempt failed and was the last that may.
 * @throws Problem `too_many` as `countAttempt`; what `signIn` throws
 */
export async function attempting<T>(
  db: Database,
  guess: Guess,
  signIn: (succeeded: readonly Change[]) => Promise<T>,
  whenExhausted: (exhausted: Exhausted) => Promise<void>,
): Promise<T> {
  const { taken, exhausted } = await countAttempt(db, guess);
  const succeeded = taken.map(forget);
  try {
    return await signIn(succeeded);
  } catch (error) {
    if (error instanceof Busy) await withBudget(() => transact(db, succeeded), cleanUpBudgetMs);
    else for (const counter of exhausted) await whenExhausted(counter);
    throw error;
  }
}

/** When a place was taken, epoch milliseconds. */
function takenAt(item: RawItem, place: string): number | undefined {
  const at = item[place];
  return typeof at === "number" ? at : undefined;
}

/**
 * Counts an attempt as failed until it is forgotten.
 * @throws Problem `too_many` where as many have failed, or are under way, as may; it says when one counts no longer
 */
const countAttempt = (db: Database, guess: Guess): Promise<Attempt> =>
  untilFresh(async () => {
    const { ofSource, ofName } = countersOf(guess);
    const find = await getItems(db, [ofSource.lookup, ofName.lookup]);
    const now = Date.now();
    const inSource = placeIn(ofSource, find(ofSource.lookup), now);
    const inName = placeIn(ofName, find(ofName.lookup), now);
    if ("wait" in inSource || "wait" in inName) throw tooMany(waitOf(inSource), waitOf(inName));
    await transact(db, [inSource.take, inName.take]);
    return {
      taken: [
        { lookup: ofSource.lookup, place: inSource.place },
        { lookup: ofName.lookup, place: inName.place },
      ],
      exhausted: [
        ...(inSource.isLast ? ["ofSource" as const] : []),
        ...(inName.isLast ? ["ofName" as const] : []),
      ],
    };
  });

/** A free place of a counter and the change that takes it; or how long to wait for one, in milliseconds. */
type Free = { readonly place: string; readonly take: Change; readonly isLast: boolean };
type Full = { readonly wait: number };

function placeIn({ lookup, places }: Counter, item: RawItem = {}, now: number): Free | Full {
  const taken = places.map((place) => ({ place, at: takenAt(item, place) }));
  const free = taken.filter(({ at }) => at === undefined || at <= now - window);
  const chosen = free[Math.floor(Math.random() * free.length)];
  if (chosen === undefined) return { wait: Math.min(...taken.map(({ at = now }) => at)) + window - now };
  const { place, at } = chosen;
  const take: Change = {
    kind: "change",
    ...lookup,
    set: { [place]: now, expires_at: Math.ceil((now + window) / 1000) },
    when: [at === undefined ? { attribute: place, is: "absent" } : { attribute: place, equals: at }],
    rejection: stale,
  };
  return { place, take, isLast: free.length === 1 };
}

const waitOf = (found: Free | Full): number => ("wait" in found ? found.wait : 0);

const tooMany = (...milliseconds: readonly number[]): Problem =>
  new Problem("too_many", "Too many sign-ins of this user have failed; try again later", {
    retryAfterSeconds: Math.max(1, Math.ceil(Math.max(...milliseconds) / 1000)),
  });

/** The attempt succeeded: it does not count. */
const forget = ({ lookup, place }: Attempt["taken"][number]): Change => ({
  kind: "change",
  ...lookup,
  remove: [place],
  when: [],
  rejection: stale,
});
