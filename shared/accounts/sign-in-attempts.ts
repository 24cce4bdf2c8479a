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
  /** How many attempts may fail within `windowMs`. */
  readonly slots: number;
  /** The warning to log about a user whose further attempts will be rejected. */
  readonly warning: string;
}

export interface Guess {
  readonly user_name: string;
  /** The address from which the call came. */
  readonly source: string;
}

/** How long a failure counts. */
const windowMs = 15 * 60_000;

/** Names are stored as hashes, because people type passwords into the wrong field. */
export const attemptsLookup = (...parts: readonly string[]): Lookup =>
  aloneAt("identity", "attempts", digestOf(...parts));

const attemptWindowsOf = ({ user_name, source }: Guess): readonly AttemptWindow[] => [
  {
    lookup: attemptsLookup(user_name, networkOf(source)),
    slots: 5,
    warning: "a user's sign-ins from one source fail",
  },
  {
    lookup: attemptsLookup(user_name),
    slots: 25,
    warning: "a user's sign-ins fail from many sources; the user is locked for a quarter of an hour",
  },
];

/** Runs an attempt to sign in; `signIn` stores the writes, too. @throws as `countAttempt` and `signIn` */
export async function attempting<T>(
  db: Database,
  guess: Guess,
  signIn: (succeeded: readonly Change[]) => Promise<T>,
): Promise<T> {
  const taken = await countAttempt(db, guess);
  const succeeded = taken.map(({ release }) => release);
  try {
    return await signIn(succeeded);
  } catch (error) {
    const isRefused = error instanceof Problem && !(error instanceof Busy);
    if (isRefused)
      await logWarnings(
        db,
        guess,
        taken.flatMap(({ warnings }) => warnings),
      );
    else await returnSlots(db, succeeded);
    throw error;
  }
}

/** Logs warnings of a user. An unknown name may be a password, and is not logged. Never throws. */
async function logWarnings(db: Database, { user_name }: Guess, warnings: readonly string[]): Promise<void> {
  try {
    if (warnings.length === 0 || !(await hasUser(db, user_name))) return;
    for (const warning of warnings) logger.warn(warning, { user_name });
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

/** Counts an attempt as failed until it succeeds. @throws Problem `too_many` if a window has no free slot */
const countAttempt = (db: Database, guess: Guess): Promise<readonly TakenSlot[]> =>
  untilFresh(db, async () => {
    const windows = attemptWindowsOf(guess);
    const find = await getItems(
      db,
      windows.map(({ lookup }) => lookup),
    );
    const now = Date.now();
    const found = windows.map((window) => slotIn(window, find(window.lookup), now));
    const waits = found.flatMap((one) => ("wait" in one ? one.wait : []));
    if (waits.length > 0) throw tooMany(Math.max(...waits));
    const taken = found.filter((one) => "take" in one);
    await transact(
      db,
      taken.map(({ take }) => take),
    );
    return taken;
  });

/** A slot of a window, the changes that take and release it, and what to log if it was the last. */
interface TakenSlot {
  readonly take: Change;
  readonly release: Change;
  readonly warnings: readonly string[];
}

/** A free slot, or in how many milliseconds there will be one. */
function slotIn(
  { lookup, slots, warning }: AttemptWindow,
  item: RawItem = {},
  now: number,
): TakenSlot | { readonly wait: number } {
  const taken = Array.from({ length: slots }, (_, position) => {
    const slot = `failure_${position + 1}`;
    return { slot, at: takenAt(item, slot) };
  });
  const free = taken.filter(({ at }) => at === undefined || at <= now - windowMs);
  const chosen = free[Math.floor(Math.random() * free.length)];
  if (chosen === undefined) return { wait: Math.min(...taken.map(({ at = now }) => at)) + windowMs - now };
  const { slot, at } = chosen;
  const set = { [slot]: now, expires_at: Math.ceil((now + windowMs) / 1000) };
  return {
    take: { kind: "change", ...lookup, set, when: [still(slot, at)] },
    release: { kind: "change", ...lookup, remove: [slot], when: [] },
    warnings: free.length === 1 ? [warning] : [],
  };
}

const tooMany = (milliseconds: number): Problem =>
  new Problem("too_many", "Too many sign-ins of this user have failed; try again later", {
    retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)),
  });
