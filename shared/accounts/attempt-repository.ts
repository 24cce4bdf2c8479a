import { Problem } from "../common/problem.ts";
import { digestOf } from "../common/strings.ts";
import { logger } from "../runtime/log.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { aloneAt, getItems, type Lookup, type RawItem } from "../store/dynamodb/reads.ts";
import { Busy, cleanUpBudgetMs, withBudget } from "../store/dynamodb/retry.ts";
import { transact, untilFresh } from "../store/dynamodb/transact.ts";
import { type Change, still } from "../store/dynamodb/writes.ts";
import { hasUser } from "./account-repository.ts";
import { networkOf } from "./source.ts";

/**
 * Counts attempts to sign in twice: by user name and source, and by user name over all sources, whether or
 * not a user has the name (docs/decisions.md, Failed sign-ins).
 *
 * A counter has as many slots as attempts may fail within the window. An attempt takes a slot in both
 * counters before anything is checked, so that concurrent guesses count as well. If it succeeds, or the
 * service fails, it returns the slots; otherwise they stay taken for the length of the window. A success
 * does not reset earlier failures, so an attacker who knows the password can't guess codes
 * indefinitely by signing in between guesses.
 */
interface AttemptWindow {
  readonly lookup: Lookup;
  readonly slots: readonly string[];
}

export interface Guess {
  readonly user_name: string;
  /** The address that the call came from. */
  readonly source: string;
}

/** Maximum failures of a name from one source, and from all sources together. */
export const maxFailures = { ofSource: 5, ofName: 25 } as const;

/** The counter that an attempt has filled: the name is locked for its source, or entirely. */
export type Exhausted = keyof typeof maxFailures;

/** How long a failure counts. */
const windowMs = 15 * 60_000;

/** Names are stored as hashes, because people type passwords into the wrong field. */
const attemptWindow = (maxAttempts: number, ...parts: readonly string[]): AttemptWindow => ({
  lookup: aloneAt("identity", "attempts", digestOf(...parts)),
  slots: Array.from({ length: maxAttempts }, (_, position) => `failure_${position + 1}`),
});

export const attemptWindowsOf = ({
  user_name,
  source,
}: Guess): Readonly<Record<Exhausted, AttemptWindow>> => ({
  ofSource: attemptWindow(maxFailures.ofSource, user_name, networkOf(source)),
  ofName: attemptWindow(maxFailures.ofName, user_name),
});

/** An attempt in progress: the slot that it took in each counter, and the counters that are full now. */
interface Attempt {
  readonly taken: readonly { readonly lookup: Lookup; readonly slot: string }[];
  readonly exhausted: readonly Exhausted[];
}

/** Runs an attempt to sign in; `signIn` stores the writes, too. @throws as `countAttempt` and `signIn` */
export async function attempting<T>(
  db: Database,
  guess: Guess,
  signIn: (succeeded: readonly Change[]) => Promise<T>,
): Promise<T> {
  const { taken, exhausted } = await countAttempt(db, guess);
  const succeeded = taken.map(releaseSlot);
  try {
    return await signIn(succeeded);
  } catch (error) {
    const isRefused = error instanceof Problem && !(error instanceof Busy);
    if (isRefused) await warnOf(db, guess, exhausted);
    else await returnSlots(db, succeeded);
    throw error;
  }
}

const warnings: Readonly<Record<Exhausted, string>> = {
  ofSource: "a user's sign-ins from one source fail",
  ofName: "a user's sign-ins fail from many sources; the user is locked for a quarter of an hour",
};

/** Logs a user who will be rejected. An unknown name may be a password, and is not logged. Never throws. */
async function warnOf(db: Database, { user_name }: Guess, exhausted: readonly Exhausted[]): Promise<void> {
  try {
    if (exhausted.length === 0 || !(await hasUser(db, user_name))) return;
    for (const counter of exhausted) logger.warn(warnings[counter], { user_name });
  } catch (error) {
    logger.error("user under attack not looked up", { error });
  }
}

/** Returns the slots of an attempt that failed by no fault of the user. Never throws. */
async function returnSlots(db: Database, slots: readonly Change[]): Promise<void> {
  try {
    await withBudget(() => transact(db, slots), cleanUpBudgetMs);
  } catch (error) {
    logger.warn("sign-in still counted", { error });
  }
}

function takenAt(item: RawItem, slot: string): number | undefined {
  const at = item[slot];
  return typeof at === "number" ? at : undefined;
}

/** Counts an attempt as failed until it succeeds. @throws Problem `too_many` if a counter is full */
const countAttempt = (db: Database, guess: Guess): Promise<Attempt> =>
  untilFresh(async () => {
    const { ofSource, ofName } = attemptWindowsOf(guess);
    const find = await getItems(db, [ofSource.lookup, ofName.lookup]);
    const now = Date.now();
    const inSource = slotIn(ofSource, find(ofSource.lookup), now);
    const inName = slotIn(ofName, find(ofName.lookup), now);
    if ("wait" in inSource || "wait" in inName) throw tooMany(waitOf(inSource), waitOf(inName));
    await transact(db, [inSource.take, inName.take]);
    return {
      taken: [
        { lookup: ofSource.lookup, slot: inSource.slot },
        { lookup: ofName.lookup, slot: inName.slot },
      ],
      exhausted: [
        ...(inSource.isLast ? ["ofSource" as const] : []),
        ...(inName.isLast ? ["ofName" as const] : []),
      ],
    };
  });

/** A free slot of a counter and the change that takes it; or how long to wait for one, in milliseconds. */
type Free = { readonly slot: string; readonly take: Change; readonly isLast: boolean };
type Full = { readonly wait: number };

function slotIn({ lookup, slots }: AttemptWindow, item: RawItem = {}, now: number): Free | Full {
  const taken = slots.map((slot) => ({ slot, at: takenAt(item, slot) }));
  const free = taken.filter(({ at }) => at === undefined || at <= now - windowMs);
  const chosen = free[Math.floor(Math.random() * free.length)];
  if (chosen === undefined) return { wait: Math.min(...taken.map(({ at = now }) => at)) + windowMs - now };
  const { slot, at } = chosen;
  const take: Change = {
    kind: "change",
    ...lookup,
    set: { [slot]: now, expires_at: Math.ceil((now + windowMs) / 1000) },
    when: [still(slot, at)],
  };
  return { slot, take, isLast: free.length === 1 };
}

const waitOf = (found: Free | Full): number => ("wait" in found ? found.wait : 0);

const tooMany = (...milliseconds: readonly number[]): Problem =>
  new Problem("too_many", "Too many sign-ins of this user have failed; try again later", {
    retryAfterSeconds: Math.max(1, Math.ceil(Math.max(...milliseconds) / 1000)),
  });

const releaseSlot = ({ lookup, slot }: Attempt["taken"][number]): Change => ({
  kind: "change",
  ...lookup,
  remove: [slot],
  when: [],
});
