import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { aloneAt, getItem, type Lookup, parsed } from "../store/dynamodb/reads.ts";
import { type Change, exists, type Insert, insertOf, type Rejection } from "../store/dynamodb/writes.ts";

const login = z.object({
  /** SHA-256 of the `login_id`, which only the device has. */
  login_hash: primitive.text,
  user_name: primitive.text,
  device_id: primitive.text,
  /** The user's `session_generation` at the start. New credentials change it, which ends the login. */
  generation: primitive.int,
  /** Epoch seconds. */
  expires_at: primitive.int,
  used_at: z.optional(primitive.time),
});
export type Login = z.output<typeof login>;

const loginLookup = (loginHash: string): Lookup => aloneAt("identity", "login", loginHash);

export const insertLogin = (begun: Login): Insert => insertOf(loginLookup(begun.login_hash), begun);

/** The login, if it can still be completed at `now` (epoch milliseconds). */
export async function findLogin(db: Database, loginHash: string, now: number): Promise<Login | undefined> {
  const found = parsed(login, await getItem(db, loginLookup(loginHash)));
  return found && found.expires_at * 1000 > now && found.used_at === undefined ? found : undefined;
}

export const completeLogin = (loginHash: string, at: string, rejection: Rejection): Change => ({
  kind: "change",
  ...loginLookup(loginHash),
  set: { used_at: at },
  when: [exists, { attribute: "used_at", is: "absent" }],
  rejection,
});
