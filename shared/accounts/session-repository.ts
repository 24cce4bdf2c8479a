import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { aloneAt, getItems, type Lookup, parsed } from "../store/dynamodb/reads.ts";
import { type Change, exists, type Insert, insertOf } from "../store/dynamodb/writes.ts";
import { userLookup, type WarehouseUser, warehouseUser } from "./account-repository.ts";

const device = z.object({
  device_id: primitive.text,
  app: primitive.text,
  app_version: primitive.text,
  system_version: primitive.text,
});
export type Device = z.output<typeof device>;

export const session = z.extend(device, {
  session_id: primitive.text,
  user_id: primitive.int,
  user_name: primitive.text,
  /** The user's `session_generation` at the start. */
  generation: primitive.int,
  created_at: primitive.time,
  /** When the session ends and DynamoDB may delete it, in epoch seconds. */
  expires_at: primitive.int,
  revoked_at: z.optional(primitive.time),
});
export type Session = z.output<typeof session>;

const sessionLookup = (sessionId: string): Lookup => aloneAt("identity", "session", sessionId);

export const insertSession = (begun: Session): Insert => insertOf(sessionLookup(begun.session_id), begun);

/**
 * Undefined if, at `now` (epoch milliseconds), the session has expired or was revoked, alone or with all of
 * its user, or the user may not use the WMS.
 */
export async function findSession(
  db: Database,
  sessionId: string,
  userName: string,
  now: number,
): Promise<{ readonly session: Session; readonly user: WarehouseUser } | undefined> {
  const [ofSession, ofUser] = [sessionLookup(sessionId), userLookup(userName)];
  const find = await getItems(db, [ofSession, ofUser]);
  const [found, user] = [parsed(session, find(ofSession)), parsed(warehouseUser, find(ofUser))];
  return found && user && isValid(found, user, now) ? { session: found, user } : undefined;
}

const isValid = (
  { expires_at, revoked_at, user_id, generation }: Session,
  user: WarehouseUser,
  now: number,
): boolean =>
  expires_at * 1000 > now &&
  revoked_at === undefined &&
  user.activated &&
  user.wms &&
  user.user_id === user_id &&
  user.session_generation === generation;

export const revokeSession = (sessionId: string, at: string): Change => ({
  kind: "change",
  ...sessionLookup(sessionId),
  set: { revoked_at: at },
  when: [exists],
});
