import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import type { Place, Variables } from "./connection.ts";
import type { Queues } from "./queues.ts";

/** Shows how far a command has come. Nothing is shown where no terminal is. */
export interface Progress {
  /** So many more are done. */
  readonly advance: (by?: number) => void;
  /** Ends the bar, with a last line. */
  readonly stop: (line: string) => void;
}

/** What a command works with. */
export interface Session {
  /** The tables that the command states. */
  readonly db: Database;
  /** The queues of jobs. @throws Usage where they are not known */
  readonly queues: () => Promise<Queues>;
  readonly place: Place;
  /** The variables of the shell. Secrets are handed to commands by them, as other users can see a process's options. */
  readonly variables: Variables;
  /** Shows a line meanwhile, apart from the answer. */
  readonly note: (line: string) => void;
  readonly progress: (title: string, of?: number) => Progress;
}

/** Who operators are, in records of who did what. */
export const operator = "operator";

/** The tables that orders change in: a large order is stored in steps, which lie beside the jobs. */
export const orderTables: readonly TableName[] = ["orders", "inventory", "tallies", "directory", "jobs"];
