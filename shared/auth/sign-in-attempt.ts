import { hasUser } from "../accounts/account-repository.ts";
import { attempting, type Exhausted, type Guess } from "../accounts/attempt-repository.ts";
import { logger } from "../lambda/log.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { Change } from "../store/dynamodb/writes.ts";

const warnings: Readonly<Record<Exhausted, string>> = {
  ofSource: "a user's sign-ins from one source fail",
  ofName: "a user's sign-ins fail from many sources; the user is locked for a quarter of an hour",
};

/**
 * Runs an attempt to sign in, as `attempting` does. Logs a user whose further attempts will be rejected. A
 * name that no user has is never logged, because it may be a password typed into the wrong field.
 */
export const attemptSignIn = <T>(
  db: Database,
  guess: Guess,
  signIn: (succeeded: readonly Change[]) => Promise<T>,
): Promise<T> =>
  attempting(db, guess, signIn, async (exhausted) => {
    try {
      const { user_name } = guess;
      if (await hasUser(db, user_name)) logger.warn(warnings[exhausted], { user_name });
    } catch (error) {
      logger.error("user under attack not looked up", { error });
    }
  });
