import type { Database } from "../store/dynamodb/database.ts";
import type { Idempotency } from "../store/idempotency.ts";

export interface Context {
  readonly db: Database;
  /** The caller, for logs and audit fields: `account:100`, `user:manager`. */
  readonly actor: string;
  /** When the call began, ISO 8601 UTC. */
  readonly now: string;
  readonly idempotency: Idempotency;
  /** The version that the record must have, from the header `If-Match`. */
  readonly ifMatch?: number | undefined;
}

export interface AccountContext extends Context {
  readonly account_id: number;
}

/** What reads an account's records. */
export type AccountReader = Pick<AccountContext, "db" | "account_id">;
