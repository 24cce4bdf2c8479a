import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { noIdempotencyKey } from "../../../shared/store/store-once.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import type { Place, Variables } from "./connection.ts";
import type { Queues } from "./queues.ts";

/** A progress bar. Without a terminal nothing is shown. */
export interface Progress {
  /** Advances the bar, by 1 unless stated. */
  readonly advance: (by?: number) => void;
  /** Ends the bar, with a last line. */
  readonly stop: (line: string) => void;
}

/** What a command's action receives. */
export interface Session {
  /** The tables that the command states. */
  readonly db: Database;
  /** The job queues. @throws Usage if they are not known */
  readonly queues: () => Promise<Queues>;
  readonly place: Place;
  /**
   * Environment variables. They pass secrets to commands, because other users can see a process's options.
   */
  readonly variables: Variables;
  /** Shows a line on the error output while the command runs. */
  readonly note: (line: string) => void;
  readonly progress: (title: string, of?: number) => Progress;
}

/** The actor that records name for an operator's change. */
export const operator = "operator";

/** The context of a change that an operator makes now. */
export const operatorContext = (db: Database) => ({
  db,
  actor: operator,
  now: new Date().toISOString(),
  idempotency: noIdempotencyKey,
});

/** The tables that writing an order needs: sagas of large orders lie beside the jobs. */
export const orderTables: readonly TableName[] = ["orders", "inventory", "tallies", "directory", "jobs"];
