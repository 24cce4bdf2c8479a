import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { noIdempotencyKey } from "../../../shared/store/idempotency.ts";
import type { Target, Variables } from "./connection.ts";
import type { Queues } from "./queues.ts";

/** Counts what is done, 1 unless stated. */
export type Advance = (by?: number) => void;

/** What a command's action receives. */
export interface CommandContext {
  readonly db: Database;
  readonly queues: () => Promise<Queues>;
  readonly target: Target;
  /**
   * Environment variables. They pass secrets to commands, because other users can see a process's options.
   */
  readonly variables: Variables;
  /** Whether the command only shows what it would do. `db` then stores nothing. */
  readonly dryRun: boolean;
  /** Aborts as the operator interrupts the command. From then on, all calls of `db` fail. */
  readonly interruption: AbortSignal;
  /** Shows a line on the error output while the command runs. */
  readonly note: (line: string) => void;
  /** Shows how far the command is, with its rate and, if the total is known, the time left. */
  readonly progress: (title: string, of?: number) => Advance;
  /** Adds words to what an interrupted command prints: what is done so far, or is left to do. */
  readonly ifInterrupted: (words: () => string) => void;
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
