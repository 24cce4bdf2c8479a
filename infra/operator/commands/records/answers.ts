/** What the API answers an account, for commands that look at its records without its key. */
import * as z from "zod/mini";
import { parseRequest } from "../../../../shared/http/request/validation.ts";
import type { AccountContext } from "../../../../shared/runtime/context.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { readAccount } from "../../accounts.ts";
import { operatorContext } from "../../cli/context.ts";

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

/** The records of a list, which is read page by page as far as they are taken. */
export async function* recordsOf<I, R>(
  db: Database,
  accountId: number,
  list: Readable<I, { readonly data: readonly R[] }>,
  query: Readonly<Record<string, string>>,
  perPage: number,
  params: Readonly<Record<string, string>> = {},
): AsyncGenerator<R, void> {
  for (let page = 1; ; page += 1) {
    const asked = { ...query, page: String(page), per_page: String(perPage) };
    const { data } = await answerOf(db, accountId, list, { params, query: asked });
    yield* data;
    if (data.length < perPage) return;
  }
}
