import type { WarehouseUser } from "../accounts/account-repository.ts";
import type { Quota } from "../accounts/request-limit.ts";
import type { Device, Session } from "../accounts/session-repository.ts";
import type { Area } from "../runtime/contract.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { Headers } from "./headers.ts";

export interface Callers {
  readonly oms: { readonly account_id: number };
  readonly wms: { readonly user: WarehouseUser };
  readonly v2: { readonly account_id: number };
  /** A warehouse user who has signed in on this device. */
  readonly mobile: { readonly user: WarehouseUser; readonly session: Session };
  /** Someone who is signing in: only the device and its address are known. */
  readonly "sign-in": { readonly device: Device; readonly source: string };
}

export type Scope = "read" | "write";

export interface Received {
  readonly headers: Headers;
  readonly source: string;
  /** How many requests the call counts as against the account's limit. */
  readonly weight: number;
}

export interface Known<Caller> {
  readonly caller: Caller;
  readonly scope: Scope;
  /** Identifies the caller in logs, movements and idempotency records: `account:100`, `user:manager`. */
  readonly actor: string;
  /** The account's remaining requests, if they are limited. If none is left, the call must be rejected. */
  readonly quota?: Quota;
}

export type Authenticated<A extends Area> = Known<Callers[A]>;

/** Authenticates a call of an area. @throws Problem `unauthorized` (401) */
export type Authenticator<A extends Area> = (db: Database, received: Received) => Promise<Authenticated<A>>;
