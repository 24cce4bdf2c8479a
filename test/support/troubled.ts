import { InternalServerError, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { connectTo } from "../../infra/demo/data.ts";
import type { Database } from "../../shared/store/database.ts";
import type { Service } from "./service.ts";

/** What becomes of a transaction: refused for a conflict, failed, or stored with its answer lost. */
export type Trouble = "conflict" | "error" | "lose-response";

/** The tables as `service.db` shows them, with trouble on the way: the runtime's faults strike functions alone. */
export interface Troubled {
  readonly db: Database;
  /** The next transactions that come, of those that have `text` in what they write, meet this. */
  add(trouble: Trouble, times: number, text?: string): void;
  /** How many met it. */
  readonly hits: number;
  /** Most transactions that were under way at once. */
  readonly mostAtOnce: number;
}

export function troubledDatabase({ runtime }: Service): Troubled {
  const db = connectTo(runtime);
  const state = { hits: 0, underWay: 0, mostAtOnce: 0 };
  const rules: { readonly trouble: Trouble; readonly text: string; times: number }[] = [];
  const strike = (written: string): Trouble | undefined => {
    const rule = rules.find(({ times, text }) => times > 0 && written.includes(text));
    if (rule === undefined) return undefined;
    rule.times -= 1;
    state.hits += 1;
    return rule.trouble;
  };
  db.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context["commandName"] !== "TransactWriteItemsCommand") return next(args);
      state.underWay += 1;
      state.mostAtOnce = Math.max(state.mostAtOnce, state.underWay);
      return next(args).finally(() => {
        state.underWay -= 1;
      });
    },
    { step: "initialize" },
  );
  // Within the SDK's retries, as the network is.
  db.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context["commandName"] !== "TransactWriteItemsCommand") return next(args);
      const trouble = strike(JSON.stringify(args.input));
      if (trouble === undefined) return next(args);
      if (trouble === "lose-response") await next(args);
      throw errorOf(trouble);
    },
    { step: "deserialize", priority: "high" },
  );
  return {
    db,
    add: (trouble, times, text = "") => void rules.push({ trouble, text, times }),
    get hits() {
      return state.hits;
    },
    get mostAtOnce() {
      return state.mostAtOnce;
    },
  };
}

function errorOf(trouble: Trouble): Error {
  const answer = { $metadata: {}, message: trouble };
  switch (trouble) {
    case "conflict":
      return new TransactionCanceledException({
        ...answer,
        CancellationReasons: [{ Code: "TransactionConflict" }],
      });
    case "error":
      return new InternalServerError({ ...answer, $metadata: { httpStatusCode: 500 } });
    case "lose-response":
      return Object.assign(new Error("socket hang up"), { name: "TimeoutError" });
  }
}
