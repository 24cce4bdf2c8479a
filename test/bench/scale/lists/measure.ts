import { criticalPath } from "../../../../infra/local/index.ts";
import { at, client, listAt, numberAt } from "../../../support/http/client.ts";
import type { Deployment } from "../deployment.ts";
import type { Account } from "./account.ts";
import { recordsIn } from "./records.ts";
import { type Expected, expected, type Filter, filtersOf } from "./requests.ts";

/** What one page cost. */
export interface PageCost {
  readonly filter: Filter;
  readonly page: "first" | "middle" | "last";
  readonly perPage: number;
  /** As a client asks for it. */
  readonly query: string;
  /** How many orders it has. */
  readonly orders: number;
  readonly units: number;
  /**
   * Calls to the database, and how many of them came one after another: the list's own, and all of the
   * request.
   */
  readonly calls: number;
  readonly own: number;
  readonly whole: number;
  /** Whether the total and the orders were the right ones. */
  readonly exact: boolean;
}

/** Reads the first page, the middle one and the last full one of every filter, in two sizes. */
export async function costsOf(
  deployment: Deployment,
  account: Account,
  note: (cost: PageCost) => void,
): Promise<readonly PageCost[]> {
  const store = recordsIn(deployment.db, account);
  const costs: PageCost[] = [];
  for (const filter of filtersOf(account)) {
    const expectation = expected(account, filter);
    for (const perPage of [20, 100]) {
      // The last full one, so that pages of accounts of different sizes compare.
      const last = Math.max(1, Math.floor(expectation.total / perPage));
      const pages = { first: 1, middle: Math.ceil(last / 2), last };
      for (const page of ["first", "middle", "last"] as const) {
        await store(expectation.orders(pages[page], perPage));
        const number = pages[page];
        const query = `${filter.query}&page=${number}&per_page=${perPage}`;
        const cost = await costOf(deployment, account, query, (body) =>
          isExact(body, expectation, number, perPage),
        );
        const costed = { filter, page, perPage, query, ...cost };
        note(costed);
        costs.push(costed);
      }
    }
  }
  return costs;
}

type Cost = Pick<PageCost, "orders" | "units" | "calls" | "own" | "whole" | "exact">;

async function costOf(
  { runtime }: Deployment,
  { accountId }: Account,
  query: string,
  exact: (body: unknown) => boolean,
): Promise<Cost> {
  const oms = client(`${runtime.url}/apirest/v4/oms`, {
    AccountID: String(accountId),
    Key: keyOf(accountId),
  });
  const mark = runtime.mark();
  const { status, body } = await oms.get(`/orders?${query}`);
  if (status !== 200) throw new Error(`${query} answered ${status}: ${JSON.stringify(body)}`);
  const calls = runtime.calls(mark);
  const authentication = runtime.dynamodb.tables["TABLE_IDENTITY"] ?? "";
  const own = calls.filter(({ tables }) => !tables.includes(authentication));
  const { readUnits, criticalPath: whole } = runtime.summary(mark);
  return {
    orders: listAt(body, "data").length,
    units: readUnits,
    calls: own.length,
    own: criticalPath(own),
    whole,
    exact: exact(body),
  };
}

function isExact(body: unknown, { total, idsOf }: Expected, page: number, perPage: number): boolean {
  const ids = listAt(body, "data").map((order) => at(order, "order_id"));
  return (
    numberAt(body, "metadata.total_records") === total &&
    JSON.stringify(ids) === JSON.stringify(idsOf(page, perPage))
  );
}

/** The API key that the bench gives an account. */
export const keyOf = (accountId: number): string => `bench-key-${accountId}`;
