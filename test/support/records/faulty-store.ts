/** A store in memory for unit tests: its calls fail where a test says so, and its indexes do not lag. */
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { MemoryStore } from "../../simulation/store/store.ts";
import { newConnection, useStore } from "../../simulation/world/connection.ts";

export class FaultyStore extends MemoryStore {
  /** The names of all calls so far. */
  readonly calls: string[] = [];
  /** The error of a call, by its name and its input as JSON; undefined if it succeeds. */
  fault: (command: string, input: string) => Error | undefined = () => undefined;

  override call(...[command, input]: Parameters<MemoryStore["call"]>): ReturnType<MemoryStore["call"]> {
    this.calls.push(command);
    const error = this.fault(command, JSON.stringify(input));
    if (error !== undefined) throw error;
    if ("IndexName" in input) {
      const { TableName = "", IndexName = "" } = input;
      this.table(TableName).advance(IndexName, this.table(TableName).lag(IndexName));
    }
    return super.call(command, input);
  }
}

/** A new store, and a connection to it. The store is used until a test makes another one. */
export function faultyStore(): { readonly store: FaultyStore; readonly db: Database } {
  const store = new FaultyStore();
  useStore(store);
  return { store, db: newConnection() };
}
