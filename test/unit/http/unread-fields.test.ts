import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { functions } from "../../../functions/index.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as listOrders } from "../../../functions/oms/orders/list-orders.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import { endpoint as createWebhook } from "../../../functions/oms/webhooks/create-webhook.ts";
import { pageQuery } from "../../../shared/http/lists/pagination.ts";
import { inStatedForm } from "../../../shared/http/request/body-forms.ts";
import { unknownParameters } from "../../../shared/http/request/parameters.ts";
import { elementsOf, fieldOf, namesOf, type Schema, shapesOf } from "../../../shared/http/request/schemas.ts";
import { answersOf, unreadFields, withMistaken } from "../../../shared/http/request/unread-fields.ts";
import { orderInputOf } from "../samples.ts";

type Request = z.ZodMiniObject;

const bodyOf = ({ shape }: Request) => shape["body"] ?? z.never();

const orderBody = bodyOf(createOrders.request);
const answers = answersOf(createOrders.response, createOrders.alsoShown);
const warnedOf = (body: unknown) => unreadFields(inStatedForm(body, orderBody), orderBody, answers);
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

    const left = "is not a field of this call and was ignored";
    expect(unreadOf({ data: [orderInputOf(), order], dryRun: true })).toEqual([
      { path: "data.1.shiping_method", message: `${left}; did you mean shipping_method?` },
      { path: "data.1.cart.store", message: left },
      { path: "data.1.items.1.qty", message: `${left}; did you mean quantity?` },
      { path: "dryRun", message: left },
    ]);
  });

  test("that other services call otherwise is named as it is called here", () => {
    const body = { data: { url: "https://shop.example/hook", events: ["order.created"] } };

    expect(unreadFields(body, bodyOf(createWebhook.request), []).warnings).toEqual([
      { path: "data.events", message: "is not a field of this call and was ignored; did you mean types?" },
    ]);
  });

  test("is skipped, with everything in it, if answers show it", () => {
    const shown = { ...orderInputOf(), order_id: 1, status: "Pending", history: [{ any: 1 }] };
    const warnings = [{ path: "x" }];
    const body = { data: [shown], metadata: { page: 1 }, pagination: {}, warnings, warnings_total: 101 };

    const shownByPut = answersOf(updateOrders.response, updateOrders.alsoShown);
    const put = unreadFields(body, bodyOf(updateOrders.request), shownByPut);

    expect(put).toEqual({ warnings: [], total: 0 });
    expect(unreadOf(body)).toEqual([]);
  });

  test("is named beside what is missing, at the field that was meant", () => {
    const errors = ["order_number", "items"].map((name) => ({
      path: `data.0.${name}`,
      message: "is required",
    }));
    const body = { data: [{ orderNumber: "A-1", "Shipping-Method": "GROUND", colour: "red" }] };

    expect(withMistaken(errors, body, orderBody, answers)).toEqual([
      { path: "data.0.order_number", message: "is required; orderNumber was sent in its place" },
      { path: "data.0.items", message: "is required" },
      {
        path: "data.0.Shipping-Method",
        message: "is not a field of this call and was ignored; did you mean shipping_method?",
      },
    ]);
  });

  test("is counted but not named if there are very many", () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, number) => [`x${number}`, 1]));

    const { warnings, total } = warnedOf({ data: [orderInputOf()], ...many });

    expect(warnings.map(({ path }) => path)).toEqual(Object.keys(many).slice(0, 100));
    expect(total).toBe(150);
  });

  test("is compared with the fields that the call takes only if it may be named, also beside errors", () => {
    let compared = 0;
    const taken = z.object({ known: z.optional(z.string()) });
    const ownKeys = (target: object) => {
      compared += 1;
      return Reflect.ownKeys(target);
    };
    Object.defineProperty(taken._zod.def, "shape", { value: new Proxy(taken._zod.def.shape, { ownKeys }) });
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, number) => [`x${number}`, 1]));

    expect(unreadFields(many, taken, []).warnings).toHaveLength(100);
    expect(withMistaken([], many, taken, [])).toEqual([]);
    expect(compared).toBe(200);
  });

  test("is shortened if its name is very long", () => {
    const [warning] = unreadOf({ data: [], ["x".repeat(1_000_000)]: 1 });

    expect(warning?.path).toBe("x".repeat(60));
    expect(unreadOf({ data: [], "x\ud83d": 1 })).toMatchObject([{ path: "x\ufffd" }]);
  });
});

describe("a query parameter that a call does not have", () => {
  const { request } = listOrders;
  const known = Object.keys(request.shape.query.shape);

  test("is named, with the nearest that the call has", () => {
    const [error] = unknownParameters(request, { page: "1", statusId: "4" });

    expect(error?.path).toBe("statusId");
    expect(error?.message).toMatch(
      /^is not a query parameter of this call; the nearest is status_id \(it takes page, /,
    );
  });

  test.each([
    ["limit", "use per_page"],
    ["pageSize", "use per_page"],
    ["page[size]", "use per_page"],
    ["offset", "use page: pages are numbered from 1"],
    ["cursor", "use page: pages are numbered from 1"],
    ["starting_after", "use page: pages are numbered from 1"],
    ["sort", "use order_by and order_direction"],
    ["fields", "every answer has all fields"],
    ["created_after", "use from_date"],
    ["until", "use to_date"],
    ["api_key", "credentials are headers: see the document of the call"],
    ["format", "every answer is JSON"],
  ])("is answered with what to use here, if other services have it: %s", (name, advice) => {
    const [error] = unknownParameters(request, { [name]: "1" });

    expect(error?.message).toBe(
      `is not a query parameter of this call; ${advice} (it takes ${known.join(", ")})`,
    );
  });

  test("is answered with the feed, if it asks for changes and the call has no such filter", () => {
    const paged = z.object({ query: z.object(pageQuery()) });

    const [error] = unknownParameters(paged, { modified_since: "2026-01-01" });

    expect(error?.message).toMatch(
      /; GET \/apirest\/v4\/oms\/events has what changed \(it takes page, per_page\)$/,
    );
  });

  test("is named if the call does not take it", () => {
    expect(unknownParameters(z.object({}), { page: "1" })).toEqual([
      { path: "page", message: "is not a query parameter of this call, which has none" },
    ]);
  });
});

describe("a read-only field", () => {
  test("is known: each that an answer shows and no change takes is stated with what changes it, or follows from others", () => {
    const following = {
      "oms/orders/update-orders": ["warehouse_id", "actions"],
      "oms/inventory/replenishments/patch-replenishments": ["actions"],
      "oms/inventory/synsets/patch-synsets": ["available", "limited_by"],
      "oms/inventory/aliases/patch-aliases": ["product_id"],
      "oms/webhooks/patch-webhook": ["disabled_reason", "disabled_at", "failing_since", "last_success_at"],
    };
    const shown = Object.entries(functions).flatMap(([key, contract]) => {
      if (contract.type !== "endpoint" || !["PUT", "PATCH"].includes(contract.method)) return [];
      const namesIn = (schema: Schema) =>
        namesOf(
          fieldOf(shapesOf(schema), "data").flatMap((data) =>
            elementsOf(data).length > 0 ? elementsOf(data).flatMap(shapesOf) : shapesOf(data),
          ),
        );
      const taken = namesIn(contract.request.shape["body"] ?? z.never());
      const stated = "readOnly" in contract ? Object.keys(Object(contract.readOnly)) : [];
      const left = namesIn(contract.response).filter(
        (name) => ![...taken, ...stated, "updated_at"].includes(name),
      );
      return left.length === 0 ? [] : [[key, left] as const];
    });

    expect(Object.fromEntries(shown)).toEqual(following);
  });
});
