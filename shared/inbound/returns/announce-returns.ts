import type * as z from "zod/mini";
import type { Placed } from "../../common/placed.ts";
import { invalidAt } from "../../common/problem.ts";
import { createEach } from "../../http/bulk/create-each.ts";
import { orderHint } from "../../orders/find-order.ts";
import { orders } from "../../orders/storage/order-repository.ts";
import { saveOrder } from "../../orders/storage/save-order.ts";
import type { AccountContext } from "../../runtime/context.ts";
import type { Outcome, Receipts } from "../../store/bulk/bulk.ts";
import { returnList, returns } from "../inbound-repository.ts";
import { presentInbound, type returnRecord } from "../inbound-view.ts";
import { announcedReturn, type ReturnInput, takeBack } from "./return.ts";

/**
 * Announces that goods of shipped orders come back, and notes them in their orders. Returns of one order
 * build on each other, in the call's order.
 */
export const announceReturns = (
  context: AccountContext & Receipts,
  inputs: readonly Placed<ReturnInput>[],
): Promise<readonly Outcome<z.output<typeof returnRecord>>[]> => {
  const { db, account_id, actor } = context;
  return createEach(context, {
    list: returnList,
    inputs,
    plan: async (drafts) => {
      const ids = drafts.map(({ value }) => value.order_id);
      const found = new Map(await orders.findAll(db, account_id, ids));
      const missing = ids.filter((id) => !found.has(id));
      const hints = await Promise.all(missing.map((id) => orderHint(context, "order_id", String(id))));
      return drafts.map(({ value: { order_id, items }, id: return_id, at, path }) => {
        const before = found.get(order_id);
        if (before === undefined) {
          const hint = hints[missing.indexOf(order_id)] ?? "";
          const message = `is not an order of the account (${order_id})${hint}`;
          return {
            problem: invalidAt([{ path: `${path}.order_id`, message, code: "unknown_reference" }]),
          };
        }
        const decision = takeBack(before.record, items, path, at);
        if ("problem" in decision) return decision;
        const { after, lines } = decision;
        const { writes, stored } = saveOrder(before, after, actor);
        found.set(order_id, stored);
        const created = announcedReturn(after, lines, { return_id, at });
        return {
          result: presentInbound(created),
          writes: [...returns.insert(created), ...writes],
        };
      });
    },
  });
};
