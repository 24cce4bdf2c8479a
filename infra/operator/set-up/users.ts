/** Stores warehouse users and their credentials for the mobile application, and ends sessions. */

import { userLookup, type WarehouseUser } from "../../../shared/accounts/account-repository.ts";
import {
  type Credentials,
  credentialsLookup,
  replaceCredentials,
} from "../../../shared/accounts/credential-repository.ts";
import { invalid, notFound, type Problem } from "../../../shared/common/problem.ts";
import { changeOne } from "../../../shared/store/dynamodb/change-one.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { firstUnassignedId } from "../../../shared/store/dynamodb/dry-run.ts";
import { joined, only } from "../../../shared/store/dynamodb/keys.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import type { Change, Count } from "../../../shared/store/dynamodb/writes.ts";

type NamedUser = Pick<WarehouseUser, "user_name" | "activated" | "wms">;

/** The next id of a user. Ids count from 1 over the whole deployment. */
async function nextUserId(db: Database): Promise<number> {
  const key = { pk: joined("counter", "user"), sk: only };
  const count: Count = { kind: "count", table: "identity", key, add: { users: 1 } };
  if (db.dryRun !== undefined) return firstUnassignedId;
  const { users } = await changeOne(db, count);
  if (typeof users !== "number") throw new Error("the counter of users answers no number");
  return users;
}

/**
 * Stores a new warehouse user with credentials for the mobile application; answers the user's id.
 * @throws Problem `invalid` if the name is taken
 */
export async function insertUser(
  db: Database,
  user: NamedUser,
  credentials: Credentials,
): Promise<WarehouseUser["user_id"]> {
  const user_id = await nextUserId(db);
  const inserted: Change = {
    kind: "change",
    ...userLookup(user.user_name),
    set: { ...user, user_id },
    add: { session_generation: 1 },
    when: [{ attribute: "user_id", is: "absent" }],
    rejection: () => invalid(`There is a user ${user.user_name} already`),
  };
  await transact(db, [inserted, replaceCredentials(user.user_name, credentials)]);
  return user_id;
}

export const noUser = (userName: string): Problem => notFound(`There is no user ${userName}`);

export type Permissions = Partial<Pick<WarehouseUser, "activated" | "wms">>;

/** Changes a user's permissions, and ends the user's sessions and pending logins. */
const changed = (userName: string, set: Permissions): Change => ({
  kind: "change",
  ...userLookup(userName),
  set,
  add: { session_generation: 1 },
  when: [{ attribute: "user_id", is: "present" }],
  rejection: () => noUser(userName),
});

/**
 * Changes a user's permissions, if any, and ends all sessions and pending logins. Credentials stay the same.
 * @throws Problem `not_found` if the user does not exist
 */
export const permitUser = (db: Database, userName: string, set: Permissions): Promise<void> =>
  transact(db, [changed(userName, set)]);

/**
 * Replaces the given credentials of a user, and ends all sessions. The rest of the user stays the same, even
 * if another operator changes it at the same time. No code of a new second factor counts as used.
 * @throws as `permitUser`; Problem `invalid` if the user has no credentials to replace
 */
export const renewCredentials = (
  db: Database,
  userName: string,
  renewed: Partial<Credentials>,
): Promise<void> => {
  const { password, totp_secret } = renewed;
  const isWhole = password !== undefined && totp_secret !== undefined;
  const credentials: Change = {
    kind: "change",
    ...credentialsLookup(userName),
    set: { ...renewed, ...(totp_secret !== undefined && { totp_step: 0 }) },
    when: isWhole ? [] : [{ attribute: "password", is: "present" }],
    rejection: () => invalid(`User ${userName} has no credentials; run this again`),
  };
  return transact(db, [changed(userName, {}), credentials]);
};
