import { describe, expect, test } from "vitest";
import { newProduct } from "../../support/business/world.ts";
import { timesAtOnce } from "../../support/http/at-once.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { orderOf, productOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** Records that clients change have versions (docs/decisions.md, Versions). */

const service = await sharedService({ demoData: true });
const { sku } = await newProduct(service);

interface Kind {
  /** The field that numbers the records. */
  readonly id: string;
  readonly path: string;
  readonly method: "patch" | "put";
  /** A new record. */
  readonly record: () => object;
  /** The fields that name a record in a change. */
  readonly keys: readonly string[];
  /** A change of a record, different each time. */
  readonly change: (record: unknown) => object;
  /** Whether a call changes one record, which its path names. */
  readonly isSingle?: boolean;
}

const quantities = (function* () {
  for (let quantity = 100; ; quantity += 1) yield quantity;
})();
const items = () => [{ sku, quantity: Number(quantities.next().value) }];

const kinds: Readonly<Record<string, Kind>> = {
  order: {
    ...{ id: "order_id", path: "/orders", method: "put", keys: ["order_id", "order_number"] },
    record: () => orderOf([{ sku, quantity: 1 }]),
    change: () => ({ ...orderOf(items()), order_number: undefined }),
  },
  product: {
    ...{ id: "product_id", path: "/inventory/products", method: "patch", keys: ["sku"] },
    record: () => productOf(),
    change: () => ({ description: unique("description") }),
  },
  alias: {
    ...{ id: "alias_id", path: "/inventory/aliases", method: "patch", keys: ["alias_id"] },
    record: () => ({ sku, alias: unique("alias") }),
    change: () => ({ alias: unique("alias") }),
  },
  synset: {
    ...{ id: "synset_id", path: "/inventory/synsets", method: "patch", keys: ["synset"] },
    record: () => ({ synset: unique("synset"), items: items() }),
    change: () => ({ items: items() }),
  },
  replenishment: {
    ...{
      id: "replenishment_id",
      path: "/inventory/replenishments",
      method: "patch",
      keys: ["replenishment_id"],
    },
    record: () => ({ items: items() }),
    change: () => ({ reference: unique("reference") }),
  },
  webhook: {
    ...{ id: "webhook_id", path: "/webhooks", method: "patch", keys: [], isSingle: true },
    record: () => ({ url: "https://example.com/hook", active: false }),
    change: () => ({ description: unique("description") }),
  },
};

describe.each(Object.entries(kinds))("the version of a %s", (title, kind) => {
  const oms = () => service.oms;
  const create = async (): Promise<unknown> => {
    const { status, body } = await oms().post(kind.path, { data: kind.record() });
    expect({ status, body }).toMatchObject({ status: 200 });
    const data = at(body, "data");
    return Array.isArray(data) ? data[0] : data;
  };
  const nameOf = (record: unknown) => at(record, title === "synset" ? "synset" : kind.id);
  const get = (record: unknown) => oms().get(`${kind.path}/${nameOf(record)}`);
  const change = (record: unknown, more: object = {}, headers: Record<string, string> = {}) => {
    const named = Object.fromEntries(kind.keys.map((key) => [key, at(record, key)]));
    const sent = { ...kind.change(record), ...named, ...more };
    return kind.isSingle === true
      ? oms().patch(`${kind.path}/${nameOf(record)}`, { data: sent }, headers)
      : oms()[kind.method](kind.path, { data: [sent] }, headers);
  };
  const versionIn = (body: unknown) =>
    kind.isSingle === true ? at(body, "data.version") : at(body, "data.0.version");
  const refusal = (record: unknown, has: number, not: number, path: string) => {
    const message = `${title} ${at(record, kind.id)} has version ${has}, not ${not}: read it again`;
    return { response: { success: false, message, errors: [{ path, message }] } };
  };
  const bodyPath = kind.isSingle === true ? "data.version" : "data.0.version";

  test("is 1 at creation, rises with each change, and is the ETag of a read", async () => {
    const record = await create();
    const first = await get(record);
    const changed = await change(record, { version: 1 });
    const second = await get(record);

    expect([at(record, "version"), at(first.body, "data.version")]).toEqual([1, 1]);
    expect([changed.status, versionIn(changed.body)]).toEqual([200, 2]);
    expect([first, second].map(({ headers }) => headers.get("etag"))).toEqual(['"1"', '"2"']);
  });

  test("is 412 in a change once it is stale, with nothing stored", async () => {
    const record = await create();
    await change(record);
    const before = (await get(record)).body;

    const answers = [
      await change(record, { version: 1 }),
      await change(record, {}, { "If-Match": '"1"' }),
      await change(record, { ...Object(at(before, "data")), version: 7 }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([412, 412, 412]);
    expect(answers.map(({ body }) => body)).toEqual([
      refusal(record, 2, 1, bodyPath),
      refusal(record, 2, 1, "If-Match"),
      refusal(record, 2, 7, bodyPath),
    ]);
    expect((await get(record)).body).toEqual(before);
  });

  test("lets one of several changes that were based on it be stored", async () => {
    const record = await create();

    const answers = await timesAtOnce(service, 4, () => change(record, {}, { "If-Match": '"1"' }));

    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      200, 412, 412, 412,
    ]);
    expect(at((await get(record)).body, "data.version")).toBe(2);
  });

  test("may be any in a change that does not state it", async () => {
    const record = await create();

    const answers = [await change(record), await change(record, {}, { "If-Match": "*" })];

    expect(answers.map(({ status, body }) => [status, versionIn(body)])).toEqual([
      [200, 2],
      [200, 3],
    ]);
  });
});

test.each(["1", 'W/"1"', '"one"', '"0"', '"1", "2"'])("If-Match may not be %s", async (header) => {
  const answer = await service.oms.patch("/inventory/products", { sku }, { "If-Match": header });

  expect(answer.status).toBe(400);
  expect(at(answer.body, "response.message")).toBe('If-Match must be the ETag of the record, such as "7"');
});

test("If-Match is 400 in a call about several records", async () => {
  const created = await service.oms.post("/inventory/products", { data: [productOf(), productOf()] });
  const data = listAt(created.body, "data").map((one) => ({ sku: at(one, "sku"), description: "new" }));

  const answer = await service.oms.patch("/inventory/products", { data }, { "If-Match": '"1"' });

  expect(answer.status).toBe(400);
  expect(at(answer.body, "response.message")).toBe(
    "If-Match is for calls about one record; state the version of each",
  );
});

test.each([
  ["POST", "/orders", () => ({ data: [orderOf([{ sku, quantity: 1 }])] })],
  ["POST", "/webhooks", () => ({ data: { url: "https://example.com/x", active: false } })],
  ["PATCH", "/attributes/product/1?identify_by=sku", () => ({ data: [{ attribute: "a", value: "b" }] })],
  ["DELETE", "/attributes/product/1?attribute=a", () => ({})],
  ["DELETE", "/inventory/holds/1", () => ({})],
])("If-Match is 400 in a write that compares no version: %s %s", async (method, path, body) => {
  const answer = await service.oms.send(method, path, JSON.stringify(body()), { "If-Match": '"1"' });

  expect(answer.status).toBe(400);
  expect(at(answer.body, "response.message")).toBe(
    "If-Match is not for this call, which compares no version",
  );
});

test("If-Match is passed over in a read, and as * in any write", async () => {
  const read = await service.oms.get("/orders", { "If-Match": "7" });
  const created = await service.oms.post("/inventory/products", { data: [productOf()] }, { "If-Match": "*" });

  expect([read.status, created.status]).toEqual([200, 200]);
});

describe.each([
  ["/orders/cancel", {}],
  ["/orders/sub_status", { sub_status: "waiting" }],
])("POST %s", (path, body) => {
  test("changes the order only while it has the version that If-Match states", async () => {
    const created = await service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 1 }])] });
    const order_id = numberAt(created.body, "data.0.order_id");
    const call = (version: number) =>
      service.oms.post(path, { ...body, order_id }, { "If-Match": `"${version}"` });

    const [stale, right, again] = [await call(7), await call(1), await call(1)];

    expect([stale.status, right.status, again.status]).toEqual([412, 200, 412]);
    expect(at(right.body, "data.version")).toBe(2);
  });
});

test("DELETE of a webhook takes the version that If-Match states", async () => {
  const created = await service.oms.post("/webhooks", {
    data: { url: "https://example.com/x", active: false },
  });
  const path = `/webhooks/${numberAt(created.body, "data.webhook_id")}`;
  const remove = (version: number) =>
    service.oms.send("DELETE", path, undefined, { "If-Match": `"${version}"` });

  const [stale, right] = [await remove(2), await remove(1)];

  expect([stale.status, right.status]).toEqual([412, 200]);
});
