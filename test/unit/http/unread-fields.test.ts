import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as listOrders } from "../../../functions/oms/orders/list-orders.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import { endpoint as getOrdersV2 } from "../../../functions/v2/get-orders.ts";
import { parametersOf, unknownParameters, unreadFields } from "../../../shared/http/request/unread-fields.ts";
import { orderInputOf } from "../samples.ts";

type Request = z.ZodMiniObject;

const bodyOf = ({ shape }: Request) => shape["body"] ?? z.never();

const warnedOf = (body: unknown) => unreadFields(body, bodyOf(createOrders.request), [createOrders.response]);
const unreadOf = (body: unknown) => warnedOf(body).warnings;

describe("a field that a call does not take", () => {
  test("is named with its place, and with the field that was meant", () => {
    const order = {
      shiping_method: "GROUND",
      cart: { store: "Demo" },
      ...orderInputOf(),
      items: [
        { sku: "TEE", quantity: 1 },
        { sku: "MUG", qty: 2, quantity: 1 },
      ],
    };

    const left = "is not a field of this call and was left out";
    expect(unreadOf({ data: [orderInputOf(), order], dryRun: true })).toEqual([
      { path: "data.1.shiping_method", message: `${left}; did you mean shipping_method?` },
      { path: "data.1.cart.store", message: left },
      { path: "data.1.items.1.qty", message: left },
      { path: "dryRun", message: left },
    ]);
  });

  test("is passed over where answers show it of the record, with all that lies in it", () => {
    const shown = { ...orderInputOf(), order_id: 1, status: "Pending", history: [{ any: 1 }] };
    const warnings = [{ path: "x" }];
    const body = { data: [shown], metadata: { page: 1 }, pagination: {}, warnings, warnings_total: 101 };

    const put = unreadFields(body, bodyOf(updateOrders.request), [
      updateOrders.response,
      updateOrders.alsoShown ?? z.never(),
    ]);

    expect(put).toEqual({ warnings: [], total: 0 });
    expect(unreadOf(body).map(({ path }) => path)).toEqual(["data.0.history"]);
  });

  test("is found in a record that stands by itself, too", () => {
    expect(unreadOf({ data: { ...orderInputOf(), colour: "red" } })).toMatchObject([
      { path: "data.0.colour" },
    ]);
  });

  test("is found in a query that is sent as a body", () => {
    const sent = { pagee: 1, page: 2 };

    expect(unreadFields(sent, bodyOf(getOrdersV2.request), [getOrdersV2.response]).warnings).toEqual([
      { path: "pagee", message: "is not a field of this call and was left out; did you mean page?" },
    ]);
  });

  test("is counted, and not named, where there are very many", () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, number) => [`x${number}`, 1]));

    const { warnings, total } = warnedOf({ data: [orderInputOf()], ...many });

    expect(warnings.map(({ path }) => path)).toEqual(Object.keys(many).slice(0, 100));
    expect(total).toBe(150);
  });

  test("is compared with the fields that the call takes only where it is named", () => {
    let compared = 0;
    const taken = z.object({ known: z.optional(z.string()) });
    const ownKeys = (target: object) => {
      compared += 1;
      return Reflect.ownKeys(target);
    };
    Object.defineProperty(taken._zod.def, "shape", { value: new Proxy(taken._zod.def.shape, { ownKeys }) });
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, number) => [`x${number}`, 1]));

    expect(unreadFields(many, taken, []).warnings).toHaveLength(100);
    expect(compared).toBe(100);
  });

  test("is told in part where its name is very long", () => {
    const [warning] = unreadOf({ ["x".repeat(1_000_000)]: 1 });

    expect(warning?.path).toBe("x".repeat(60));
    expect(unreadOf({ "x\ud83d": 1 })).toMatchObject([{ path: "x\ufffd" }]);
  });
});

describe("a query parameter that a call does not have", () => {
  const known = parametersOf(listOrders.request.shape.query);

  test("is named, with the nearest that the call has", () => {
    const [error] = unknownParameters({ page: "1", statusId: "4" }, known);

    expect(error?.path).toBe("statusId");
    expect(error?.message).toMatch(
      /^is not a query parameter of this call; the nearest is status_id \(all are page, /,
    );
  });

  test("is named where the call has none", () => {
    expect(unknownParameters({ page: "1" }, [])).toEqual([
      { path: "page", message: "is not a query parameter of this call, which has none" },
    ]);
  });
});
