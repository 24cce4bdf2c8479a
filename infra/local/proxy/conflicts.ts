import type { Operation } from "./operations.ts";
import { touchedItems } from "./touched.ts";

/**
 * Raises the conflicts that DynamoDB raises and DynamoDB Local does not: a write to an item fails while a
 * transaction on that item is in progress. A transaction is in progress for as long as the latency of the
 * proxy.
 */
export class Conflicts {
  readonly #ongoing = new Set<string>();

  /**
   * Begins a write, and returns the function that ends it; undefined if the write conflicts. Reads never
   * conflict here.
   */
  begin(operation: Operation, input: unknown): (() => void) | undefined {
    const items = writtenItems(operation.name, input);
    if (items.some((item) => this.#ongoing.has(item))) return undefined;
    if (operation.transactionItems === 0) return () => undefined;
    for (const item of items) this.#ongoing.add(item);
    return () => {
      for (const item of items) this.#ongoing.delete(item);
    };
  }
}

const conflicting: ReadonlySet<string> = new Set([
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "TransactWriteItems",
]);

/** The items that a request writes, each by its table and key. */
const writtenItems = (name: string, input: unknown): readonly string[] =>
  conflicting.has(name)
    ? touchedItems(name, input).map(({ table, attributes: { pk, sk } }) => JSON.stringify([table, pk, sk]))
    : [];
