/** What a warehouse user signs in to the mobile application with. It lies in the user's item. */
import * as z from "zod/mini";
import type { Database } from "../store/database.ts";
import { getItem } from "../store/reads.ts";
import type { Change, Refusal } from "../store/writes.ts";
import { userLookup, type WarehouseUser, warehouseUser } from "./accounts.ts";

/** A password's scrypt hash, with everything that is needed to check one against it. */
export const passwordHash = z.object({
  N: z.int(),
  r: z.int(),
  p: z.int(),
  /** Both base64url. */
  salt: z.string(),
  hash: z.string(),
});
export type PasswordHash = z.output<typeof passwordHash>;

/** A user who may have no credentials, and then can't sign in. */
const userWithCredentials = z.extend(warehouseUser, {
  password: z.optional(passwordHash),
  /** Base 32. */
  totp_secret: z.optional(z.string()),
});

/** The two factors of a user. */
export interface Credentials {
  readonly password: PasswordHash;
  readonly totp_secret: string;
}

/** A user and what the user can sign in with, if anything; undefined where nobody has the name. */
export async function findUserWithCredentials(
  db: Database,
  userName: string,
): Promise<{ readonly user: WarehouseUser; readonly credentials: Partial<Credentials> } | undefined> {
  const item = await getItem(db, userLookup(userName));
  if (item === undefined) return undefined;
  const { password, totp_secret, ...user } = z.parse(userWithCredentials, item);
  return { user, credentials: { ...(password && { password }), ...(totp_secret && { totp_secret }) } };
}

/**
 * Uses up a code by its time step: neither it nor an older one is taken again. Its premises also refuse a user whose
 * credentials were replaced meanwhile.
 */
export const spendCode = (user: WarehouseUser, step: number, refusal: Refusal): Change => ({
  kind: "change",
  ...userLookup(user.user_name),
  set: { totp_step: step },
  when: [
    { attribute: "totp_step", atMost: step - 1 },
    { attribute: "session_generation", equals: user.session_generation },
  ],
  refusal,
});
