import { setTimeout as sleep } from "node:timers/promises";
import { TransactionCanceledException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";

type Named = Readonly<Record<string, unknown>>;

/**
 * What DynamoDB does and DynamoDB Local does not: a transaction takes a while, and a write to an item that a
 * transaction is just changing is refused. All connections that join share it, as instances share a table.
 *
 * An item is taken for the time of a transaction alone, however long DynamoDB Local works, so that a slow
 * machine raises few conflicts of its own. The answer comes when both are over.
 */
export class Contention {
  /** What a transaction takes, in milliseconds. */
  milliseconds = 0;
  /** Writes that were refused so far. */
  conflicts = 0;
  readonly #taken = new Set<string>();

  join(db: Database): Database {
    db.client.middlewareStack.add(
      (next, context) => (args) => this.#pass(String(context["commandName"]), args.input, () => next(args)),
      // Within the client's retries, as the network is.
      { step: "deserialize", priority: "high" },
    );
    return db;
  }

  async #pass<T>(command: string, input: object, send: () => Promise<T>): Promise<T> {
    const items = writtenItems(command, input);
    const refused = items.map((item) => this.#taken.has(item));
    if (refused.includes(true)) {
      this.conflicts += 1;
      throw conflict(command, refused);
    }
    const wait = command === transaction ? this.#take(items) : sleep(single);
    const [answer] = await Promise.all([send(), wait]);
    return answer;
  }

  async #take(items: readonly string[]): Promise<void> {
    for (const item of items) this.#taken.add(item);
    await sleep(this.milliseconds);
    for (const item of items) this.#taken.delete(item);
  }
}

const transaction = "TransactWriteItemsCommand";

/** Milliseconds that every other call takes at least. */
const single = 4;

const rejection = { $metadata: { httpStatusCode: 400 }, message: "Transaction is ongoing for the item" };

function conflict(command: string, refused: readonly boolean[]): Error {
  if (command !== transaction) return new TransactionConflictException(rejection);
  const CancellationReasons = refused.map((one) => ({ Code: one ? "TransactionConflict" : "None" }));
  return new TransactionCanceledException({ ...rejection, CancellationReasons });
}

/** The items that a command writes, each by its table and key, in its order. */
function writtenItems(command: string, input: object): readonly string[] {
  const fields: Named = { ...input };
  if (command === transaction) {
    const parts = Array.isArray(fields["TransactItems"]) ? fields["TransactItems"] : [];
    return parts.flatMap((part: object) => Object.values(part)).map(placeOf);
  }
  return command === "UpdateItemCommand" || command === "PutItemCommand" || command === "DeleteItemCommand"
    ? [placeOf(fields)]
    : [];
}

function placeOf({ TableName, Key, Item }: Named): string {
  const attributes = new Map(Object.entries(Object(Key ?? Item)));
  return JSON.stringify([TableName, attributes.get("pk"), attributes.get("sk")]);
}
