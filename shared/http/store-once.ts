import * as z from "zod/mini";
import { newReceipt } from "../store/idempotency.ts";
import { type Commit, transact } from "../store/transact.ts";
import type { Tools } from "./endpoint.ts";

/**
 * Stores an operation's one transaction so that a retry with the same `Idempotency-Key` never repeats it, even where the
 * function died right after: the answer is foreseen, and a receipt that is stored with the transaction proves it.
 */
export const storeOnce =
  <T, R extends object>(
    { db, foresee }: Pick<Tools, "db" | "foresee">,
    response: z.core.$ZodType<R, R>,
    present: (result: T) => R,
  ): Commit<T> =>
  async (writes, result) => {
    const { witness, write } = newReceipt();
    const isKept = await foresee(z.parse(response, present(result)), [witness]);
    await transact(db, isKept ? [...writes, write] : writes);
  };
