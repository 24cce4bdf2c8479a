import * as z from "zod/mini";
import { bulkBody } from "../../../../shared/common/fields.ts";
import { invalidAt } from "../../../../shared/common/problem.ts";
import { bulkCall } from "../../../../shared/http/bulk/bulk-answer.ts";
import { createEach } from "../../../../shared/http/bulk/create-each.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/responses.ts";
import { insertReturn } from "../../../../shared/inbound/inbound-repository.ts";
import { presentReturn, returnRecord } from "../../../../shared/inbound/inbound-view.ts";
import { announcedReturn, returnInput, takeBack } from "../../../../shared/inbound/returns/return.ts";
import { orderHint } from "../../../../shared/orders/find-order.ts";
import { orders } from "../../../../shared/orders/storage/order-repository.ts";
import { replaceOrder } from "../../../../shared/orders/storage/save-order.ts";
import { returnList } from "../../../../shared/store/lists/definitions.ts";

/**
 * Each order records which of its goods come back. Returns of one order build on each other, in the call's
 * order.
 */
export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/returns",
    auth: "oms",
    summary: "Announce that goods of shipped orders come back",
    request: z.object({ body: bulkBody(returnInput) }),
    response: dataOf(z.array(returnRecord)),
    access: { orders: "write", inventory: "write" },
  },
  async ({ body: { data: inputs } }, context) =>
    bulkCall(context, inputs, returnRecord, async (inputs, context) => {
      const { db, account_id, actor } = context;
      return createEach(context, {
        list: returnList,
        inputs,
        plan: async (drafts) => {
          const ids = drafts.map(({ input }) => input.order_id);
          const found = new Map(await orders.stored.findAll(db, account_id, ids));
          const missing = ids.filter((id) => !found.has(id));
          const hints = await Promise.all(missing.map((id) => orderHint(context, "order_id", String(id))));
          return drafts.map(({ input: { order_id, items }, id: return_id, at, path }) => {
            const before = found.get(order_id);
            if (before === undefined) {
              const hint = hints[missing.indexOf(order_id)] ?? "";
              const message = `is not an order of the account (${order_id})${hint}`;
              return { problem: invalidAt([{ path: `${path}.order_id`, message }]) };
            }
            const decision = takeBack(before.record, items, path, at);
            if ("errors" in decision) return { problem: invalidAt(decision.errors) };
            const { after, lines } = decision;
            const { writes, stored } = replaceOrder(before, after, actor);
            found.set(order_id, stored);
            const created = announcedReturn(after, lines, { return_id, at });
            return {
              result: presentReturn(created),
              writes: [...insertReturn(created), ...writes],
            };
          });
        },
      });
    }),
);

export const handler = lambda(endpoint);
