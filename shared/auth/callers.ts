import type { WarehouseUser } from "../accounts/account-repository.ts";
import type { Quota } from "../accounts/request-limit.ts";
import type { Device, Session } from "../accounts/session-repository.ts";
import type { Area } from "../lambda/contract.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { Headers } from "./headers.ts";

/** The caller of the OMS or v2: an account. */
export interface AccountCaller {
  readonly account_id: number;
}

/** The caller of the WMS: a warehouse user. */
export interface WmsCaller {
  readonly user: WarehouseUser;
}

/** The caller from the mobile application: a warehouse user who signed in on this device. */
export interface MobileCaller {
  readonly user: WarehouseUser;
  readonly session: Session;
}

/** The caller who is signing in: only the device is known, and where it is. */
export interface SignInCaller {
  readonly device: Device;
  readonly source: string;
}

export interface Callers {
  readonly oms: AccountCaller;
  readonly wms: WmsCaller;
  readonly v2: AccountCaller;
  readonly mobile: MobileCaller;
  readonly "sign-in": SignInCaller;
}

/** What a caller's credentials let it do. */
export type Scope = "read" | "write";

/** What is known of a call before it is known who calls. */
export interface Received {
  readonly headers: Headers;
  /** The address that the call came from, as API Gateway saw it. */
  readonly source: string;
  /** How many requests the call counts as, where the requests of its account are limited. */
  readonly weight: number;
}

/** A caller whose credentials are right. */
export interface Known<Caller> {
  readonly caller: Caller;
  readonly scope: Scope;
  /** Names the caller in logs, movements and idempotency records: `account:100`, `user:manager`. */
  readonly actor: string;
  /** What is left of the account's requests, where these are limited. Where none is, the call is to be refused. */
  readonly quota?: Quota;
}

export type Authenticated<A extends Area> = Known<Callers[A]>;

/** Finds out who calls an area. @throws Problem `unauthorized` (401) */
export type Authenticator<A extends Area> = (db: Database, received: Received) => Promise<Authenticated<A>>;
