import type { Database } from "../store/dynamodb/database.ts";
import type { Idempotency } from "../store/store-once.ts";

/** What every flow works with. */
export interface Context {
  readonly db: Database;
  /** Who calls, for records of who did what: `account:100`, `user:manager`. */
  readonly actor: string;
  /** When the call came, ISO 8601 UTC. */
  readonly now: string;
  readonly idempotency: Idempotency;
}

/** What every flow works with that concerns one account. */
export interface AccountContext extends Context {
  readonly account_id: number;
}
