import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Answer, at, listAt, numberAt } from "../../../support/http/client.ts";
import { oneByOne } from "../../../support/http/one-by-one.ts";
import { unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { endClaims } from "../../../support/store/claims.ts";
import {
  claimedEach,
  newOrders,
  picked,
  pickFrom,
  replenishment,
  returned,
  shipped,
  shippedOrder,
  stocked,
} from "../../../support/store/world.ts";

const service = await ownService();
const sku = (await stocked(service, 1000)).sku;
const { order_id } = await shippedOrder(service, [{ sku, quantity: 1 }]);
/** A Shipped order of 60 units that nothing came back of. */
const nextShipped = await shippedAhead(5);
await replenishment(service, [{ sku, quantity: 1 }]);
await returned(service, order_id, [{ sku, quantity: 1 }]);

/** Hands out so many Shipped orders of 60 units each. */
async function shippedAhead(count: number): Promise<() => number> {
  const orders = await newOrders(service, Array(count).fill([{ sku, quantity: 60 }]));
  await claimedEach(service, orders);
  for (const order_id of orders) {
    await picked(service, order_id, pickFrom(sku, 60));
    await shipped(service, order_id);
  }
  return oneByOne(orders);
}

type Headers = Readonly<Record<string, string>>;

/** What is created, and how many units its effect on other records shows. */
interface Kind {
  readonly path: string;
  readonly function: string;
  readonly id: string;
  /** Records of one unit each, enough for several transactions. */
  readonly many: () => Promise<readonly unknown[]>;
  readonly units: () => Promise<number>;
}

const replenishments: Kind = {
  path: "/inventory/replenishments",
  function: "oms/inventory/replenishments/create-replenishments",
  id: "replenishment_id",
  many: async () => Array.from({ length: 100 }, () => ({ items: [{ sku, quantity: 1 }] })),
  units: async () => numberAt((await service.oms.get(`/inventory/stock?sku=${sku}`)).body, "data.0.incoming"),
};

const returns: Kind = {
  path: "/inventory/returns",
  function: "oms/inventory/returns/create-returns",
  id: "return_id",
  /** Of one order, so that each builds on the one before. */
  many: async () => {
    const order_id = nextShipped();
    return Array.from({ length: 60 }, () => ({ order_id, items: [{ sku, quantity: 1 }] }));
  },
  units: async () => {
    const { body } = await service.oms.get("/orders?per_page=100");
    const items = listAt(body, "data").flatMap((order) => listAt(order, "items"));
    return items.reduce<number>((sum, item) => sum + numberAt(item, "returned"), 0);
  },
};

const create = ({ path }: Kind, data: readonly unknown[], headers: Headers = {}): Promise<Answer> =>
  service.oms.post(path, { data }, headers);

const totalOf = async ({ path }: Kind) =>
  numberAt((await service.oms.get(`${path}?per_page=1`)).body, "metadata.total_records");

describe.each([replenishments, returns])("POST $path", (kind) => {
  let known: readonly [number, number];
  let many: readonly unknown[];
  let key: Headers;
  beforeAll(async () => {
    known = [await totalOf(kind), await kind.units()];
  });
  beforeEach(async () => {
    many = await kind.many();
    key = { "Idempotency-Key": unique("inbound") };
  });

  /**
   * How many records there are more than when it was asked last, and how many units more their effects show.
   */
  async function added(): Promise<readonly number[]> {
    const [total, units] = known;
    known = [await totalOf(kind), await kind.units()];
    return [known[0] - total, known[1] - units];
  }

  /** Strikes transactions that store records, and not those that lease a block of ids. */
  const fault = (effect: "conflict" | "lose-response" | "kill-before" | "kill-after", more: object = {}) =>
    service.runtime.faults.add({
      effect,
      operation: "TransactWriteItems",
      table: "TABLE_INVENTORY",
      function: kind.function,
      ...more,
    });

  test("by a function that dies after its last transaction is answered with the stored records on a retry", async () => {
    const [only] = many;
    fault("kill-after");
    const died = await create(kind, [only], key);
    await endClaims(service);

    const retried = await create(kind, [only], key);
    const again = await create(kind, [only], key);

    expect([died.status, retried.status]).toEqual([500, 200]);
    expect(retried.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(retried.body);
    expect(await added()).toEqual([1, 1]);
    const id = numberAt(retried.body, `data.0.${kind.id}`);
    const { body } = await service.oms.get(`${kind.path}/${id}`);
    expect(at(body, "data")).toEqual(at(retried.body, "data.0"));
  });

  test("by a function that dies before its first transaction runs again on a retry", async () => {
    fault("kill-before");
    const died = await create(kind, many, key);
    await endClaims(service);

    const retried = await create(kind, many, key);

    expect([died.status, retried.status]).toEqual([500, 200]);
    expect(retried.headers.get("idempotent-replayed")).toBeNull();
    expect(await added()).toEqual([many.length, many.length]);
  });

  test("by a function that dies between its transactions is completed by a retry", async () => {
    fault("kill-after");
    const died = await create(kind, many, key);
    await endClaims(service);
    const [half = 0] = await added();

    const retried = await create(kind, many, key);

    const records = listAt(retried.body, "data");
    expect([died.status, retried.status]).toEqual([500, 200]);
    expect(records).toHaveLength(many.length);
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(many.length);
    expect(records.filter((record) => typeof at(record, kind.id) !== "number")).toEqual([]);
    expect(await added()).toEqual([many.length - half, many.length - half]);
  });
});
