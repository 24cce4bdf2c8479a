/** What the API answers an account, for commands that look at its records without its key. */
import * as z from "zod/mini";
import { parseRequest } from "../../../../shared/http/request/validation.ts";
import type { AccountContext } from "../../../../shared/runtime/context.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { reasonUnreadable } from "../../../../shared/store/layouts/unreadable.ts";
import { type CommandContext, operatorContext } from "../../cli/context.ts";
import { readAccount } from "../../set-up/accounts.ts";

interface Readable<I, O> {
  readonly request: z.ZodMiniType<I>;
  readonly response: z.ZodMiniType<O>;
  readonly flow: (request: I, context: AccountContext) => Promise<unknown>;
}

/** What a client asks for: the parts of a path, and the query, as texts. */
interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * The fields that clients see of an answer.
 * @throws Problem as the API does; `not_found` if there is no account
 */
export async function answerOf<I, O>(
  db: Database,
  accountId: number,
  { request, response, flow }: Readable<I, O>,
  sent: Sent,
): Promise<O> {
  await readAccount(db, accountId);
  const context = { ...operatorContext(db), account_id: accountId };
  return z.parse(response, await flow(parseRequest(request, sent), context));
}

/**
 * Names records that can't be read and that a command leaves out. The command then ends with the status of
 * findings.
 */
export function unreadableTo(note: CommandContext["note"]) {
  let count = 0;
  return {
    leaveOut: (reason: string): void => {
      count += 1;
      note(`Left out, as data verify reports it: ${reason}`);
    },
    ends: () => (count > 0 ? ("findings" as const) : undefined),
  };
}

interface Listed extends Sent {
  /** Most records in all. */
  readonly most?: number;
  readonly perPage?: number;
  /** If absent, a record that can't be read ends the listing. */
  readonly onUnreadable?: (reason: string) => void;
}

/**
 * The records of a list, which is read page by page as far as they are taken. With `onUnreadable`, one that
 * can't be read is left out: the records of its page are read one by one.
 */
export async function* recordsOf<I, R>(
  db: Database,
  accountId: number,
  list: Readable<I, { readonly data: readonly R[] }>,
  { query, params = {}, most = Infinity, perPage = Math.min(most, 100), onUnreadable }: Listed,
): AsyncGenerator<R, void> {
  let left = most;
  for (let first = 0, size = perPage; ; ) {
    const asked = { ...query, page: String(first / size + 1), per_page: String(size) };
    try {
      const { data } = await answerOf(db, accountId, list, { params, query: asked });
      yield* data.slice(0, left);
      left -= data.length;
      if (data.length < size || left <= 0) return;
    } catch (error) {
      const reason = reasonUnreadable(error);
      if (reason === undefined || onUnreadable === undefined) throw error;
      if (size > 1) {
        size = 1;
        continue;
      }
      onUnreadable(reason);
    }
    first += size;
    if (first % perPage === 0) size = perPage;
  }
}
