import type { Area } from "../contract.ts";
import type { WarehouseUser } from "../data/accounts.ts";
import type { Device, Session } from "../data/sessions.ts";
import type { Database } from "../store/database.ts";
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

/** The caller who is signing in: only the device is known. */
export interface SignInCaller {
  readonly device: Device;
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

/** A caller whose credentials are right. */
export interface Known<Caller> {
  readonly caller: Caller;
  readonly scope: Scope;
  /** Names the caller in logs, movements and idempotency records: `account:100`, `user:manager`. */
  readonly actor: string;
}

export type Authenticated<A extends Area> = Known<Callers[A]>;

/** Finds out who calls an area. @throws Problem `unauthorized` (401) */
export type Authenticator<A extends Area> = (db: Database, headers: Headers) => Promise<Authenticated<A>>;
