/** Warehouse users, their credentials for the mobile application, and the end of their sessions. */

import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { userLookup, type WarehouseUser, warehouseUser } from "../../shared/data/accounts.ts";
import { type Credentials, removeCredentials, replaceCredentials } from "../../shared/data/credentials.ts";
import { parsed } from "../../shared/data/registries.ts";
import { notFound } from "../../shared/domain/problem.ts";
import type { Database } from "../../shared/store/database.ts";
import { updateInput } from "../../shared/store/expressions.ts";
import { joined, only } from "../../shared/store/keys.ts";
import { getItem } from "../../shared/store/reads.ts";
import { transact, untilFresh } from "../../shared/store/transact.ts";
import { type Change, type Count, stale } from "../../shared/store/writes.ts";

type NamedUser = Pick<WarehouseUser, "user_name" | "activated" | "wms">;

/**
 * Stores a warehouse user, with credentials for the mobile application or without. A user who exists keeps the id.
 * Credentials are replaced, and all sessions end.
 * @returns the user's id
 */
export const putUser = (db: Database, user: NamedUser, credentials?: Credentials): Promise<number> =>
  untilFresh(async () => {
    const lookup = userLookup(user.user_name);
    const before = parsed(warehouseUser, await getItem(db, lookup));
    const user_id = before?.user_id ?? (await nextUserId(db));
    const change: Change = {
      kind: "change",
      ...lookup,
      set: { ...user, user_id },
      add: { session_generation: 1 },
      when: [before ? { attribute: "user_id", equals: user_id } : { attribute: "user_id", is: "absent" }],
      refusal: stale,
    };
    await transact(db, [
      change,
      credentials === undefined
        ? removeCredentials(user.user_name)
        : replaceCredentials(user.user_name, credentials),
    ]);
    return user_id;
  });

/** The next id of a user. Ids count from 1 over the whole deployment. */
async function nextUserId(db: Database): Promise<number> {
  const key = { pk: joined("counter", "user"), sk: only };
  const count: Count = { kind: "count", table: "identity", key, add: { users: 1 } };
  const { Attributes } = await db.client.send(
    new UpdateCommand({ ...updateInput(db, count), ReturnValues: "UPDATED_NEW" }),
  );
  const users: unknown = Attributes?.["users"];
  if (typeof users !== "number") throw new Error("the counter of users answers no number");
  return users;
}

/** Ends all sessions of a user, and the logins under way. @throws where there is no such user */
export const revokeSessions = (db: Database, userName: string): Promise<void> =>
  transact(db, [
    {
      kind: "change",
      ...userLookup(userName),
      add: { session_generation: 1 },
      when: [{ attribute: "user_id", is: "present" }],
      refusal: () => notFound(`There is no user ${userName}`),
    },
  ]);
