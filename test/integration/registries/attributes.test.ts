import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { productList } from "../../../shared/catalog/products/product-lists.ts";
import { replenishmentList, returnList } from "../../../shared/inbound/inbound-repository.ts";
import { orderList } from "../../../shared/orders/storage/order-repository.ts";
import { manufactureList } from "../../../shared/registries/manufacture/manufacture-repository.ts";
import type { BlockList } from "../../../shared/store/lists/block-list.ts";
import { recordKey } from "../../../shared/store/lists/block-list.ts";
import { pendingOrder, productsAhead } from "../../support/business/world.ts";
import { atOnce } from "../../support/http/at-once.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { operations, pick, randomFrom, whole } from "../../support/http/random.ts";
import { unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
/** Products that no test has attributes of yet. */
const freshProduct = await productsAhead(service, 20);

type Headers = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string>>;

/** An owner as a path names it: `product/1000`. */
type Owner = string;

/** Calls at once meet each other in another way each time. */
const rounds = operations(2, 5);

const newOwner = (): Owner => `product/${freshProduct().product_id}`;

const named = (values: Values) => Object.entries(values).map(([attribute, value]) => ({ attribute, value }));
const create = (owner: Owner, values: Values, headers?: Headers): Promise<Answer> =>
  service.oms.post(`/attributes/${owner}`, { data: named(values) }, headers);
const patch = (owner: Owner, values: Values, headers?: Headers): Promise<Answer> =>
  service.oms.patch(`/attributes/${owner}`, { data: named(values) }, headers);
const remove = (owner: Owner, name: string): Promise<Answer> =>
  service.oms.send("DELETE", `/attributes/${owner}?attribute=${encodeURIComponent(name)}`, undefined);
const list = (owner: Owner, query = ""): Promise<Answer> => service.oms.get(`/attributes/${owner}${query}`);

const pairs = ({ body }: Answer) =>
  listAt(body, "data").map((record) => [at(record, "attribute"), at(record, "value")]);
const totalOf = ({ body }: Answer) => numberAt(body, "metadata.total_records");

describe("an owner's attributes", () => {
  test("are created, listed newest first, changed and deleted", async () => {
    const owner = newOwner();

    const created = await create(owner, { color: "red", size: "", lot: "7" });
    const patched = await patch(owner, { size: "L" });
    const again = await patch(owner, { size: "L" });
    const deleted = await remove(owner, "color");
    const listed = await list(owner);

    const [color, size, lot] = listAt(created.body, "data");
    expect([created, patched, deleted, listed].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [owner_type, owner_id] = ["product", Number(owner.split("/")[1])];
    expect(color).toEqual({
      owner_type,
      owner_id,
      attribute: "color",
      value: "red",
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: at(color, "created_at"),
    });
    const after = {
      owner_type,
      owner_id,
      attribute: "size",
      value: "L",
      created_at: at(size, "created_at"),
      updated_at: at(patched.body, "data.0.updated_at"),
    };
    expect(patched.body).toEqual({ data: [after] });
    expect(again.body).toEqual(patched.body);
    expect(String(after.updated_at) > String(after.created_at)).toBe(true);
    expect(deleted.body).toEqual({ data: color });
    expect(listed.body).toEqual({
      data: [lot, after],
      metadata: { page: 1, per_page: 20, total_records: 2, total_pages: 1, total_current_page: 2 },
      pagination: { current_page: 1, per_page: 20, total: 2, total_pages: 1 },
    });
  });

  test.each(["Product", "PRODUCTS", "products"])(
    "are those of %s, too: the type is taken in any case and in the plural",
    async (type) => {
      const owner = newOwner();

      const created = await create(owner.replace("product", type), { color: "red" });

      expect(at(created.body, "data.0")).toMatchObject({ owner_type: "product", attribute: "color" });
      expect(pairs(await list(owner))).toEqual([["color", "red"]]);
    },
  );

  test("have names without surrounding blanks, and are found so", async () => {
    const owner = newOwner();

    const created = await create(owner, { " color ": "red" });
    const patched = await patch(owner, { "color\t": "blue" });
    const deleted = await remove(owner, " color");

    expect(pairs(created)).toEqual([["color", "red"]]);
    expect(pairs(patched)).toEqual([["color", "blue"]]);
    expect(deleted.body).toEqual({ data: at(patched.body, "data.0") });
  });

  test("are found, made, changed and deleted by the SKU of a product or the number of an order", async () => {
    const { sku, product_id } = freshProduct();
    const order_id = await pendingOrder(service, [{ sku, quantity: 1 }]);
    const order_number = at((await service.oms.get(`/orders/${order_id}`)).body, "data.order_number");

    for (const [owner, id] of [
      [`products/${sku}?identify_by=SKU`, product_id],
      [`orders/${order_number}?identify_by=order_number`, order_id],
    ]) {
      const answers = [
        await create(String(owner), { color: "red", size: "L" }),
        await patch(String(owner), { color: "blue" }),
        await service.oms.send("DELETE", `/attributes/${owner}&attribute=size`, undefined),
        await list(String(owner), "&per_page=1"),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(at(answers[2]?.body, "data")).toMatchObject({ owner_id: id, attribute: "size" });
      expect(at(answers[3]?.body, "data")).toMatchObject([{ owner_id: id, value: "blue" }]);
    }
  });

  test("have names in any text, told apart by their letters' case", async () => {
    const owner = newOwner();
    const values = {
      "a b": "1",
      A: "2",
      a: "3",
      "#|é-日本\u{1f600}": "4",
      [`${"x".repeat(100)}`]: "5",
      "&=%": "6",
    };

    await create(owner, values);
    const deleted = await Promise.all(Object.keys(values).map((name) => remove(owner, name)));

    expect(deleted.map(({ body }) => at(body, "data.value"))).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(totalOf(await list(owner))).toBe(0);
  });

  test("that are deleted while they are changed end deleted, or changed and then deleted", async () => {
    const owner = newOwner();
    for (let round = 0; round < rounds; round += 1) {
      await create(owner, { color: "red" });

      const [changed, deleted] = await atOnce(service, [
        () => patch(owner, { color: "blue" }),
        () => remove(owner, "color"),
      ]);
      const listed = await list(owner);

      expect(deleted?.status).toBe(200);
      expect([200, 404, 400]).toContain(changed?.status);
      expect(totalOf(listed)).toBe(0);
      expect(pairs(listed)).toEqual([]);
    }
  });
});

describe("an Idempotency-Key", () => {
  test("is refused with 400 if it is sent again for another owner", async () => {
    const headers = { "Idempotency-Key": unique("attributes") };
    await create(newOwner(), { color: "red" }, headers);

    const { status } = await create(newOwner(), { color: "red" }, headers);

    expect(status).toBe(400);
  });
});

describe("owners", () => {
  /** A record of a list as it lies there, with nothing but what makes it the account's. */
  async function seeded(kind: BlockList, id: number): Promise<void> {
    const { client, tableName } = service.db;
    const Item = { ...recordKey(kind, id), account_id: service.accountId };
    await client.send(new PutCommand({ TableName: tableName(kind.table), Item }));
  }

  test("may be of six kinds, and one's attributes are no other's, though their ids are the same", async () => {
    // No account leases the block of so high an id.
    const id = 900_001_000;
    for (const kind of [orderList, productList, replenishmentList, returnList, manufactureList]) {
      await seeded(kind, id);
    }
    // Others look for the record 1, which is none.
    await seeded(replenishmentList, 2);
    const owners = [
      `order/${id}`,
      `product/${id}`,
      `replenishment/${id}`,
      `return/${id}`,
      `manufacture/${id}`,
      "distribution_center/1",
      "distribution_center/2",
      "replenishment/2",
    ];

    const created = await Promise.all(owners.map((owner) => create(owner, { owner })));
    const listed = await Promise.all(owners.map((owner) => list(owner)));

    expect(created.map(({ status }) => status)).toEqual(owners.map(() => 200));
    expect(listed.map(pairs)).toEqual(owners.map((owner) => [["owner", owner]]));
  });

  test("stay as they are: attributes are beside an order and a product, not in them", async () => {
    const { sku, product_id } = freshProduct();
    const orderId = await pendingOrder(service, [{ sku, quantity: 1 }]);
    const owners = () =>
      Promise.all([`/orders/${orderId}`, `/inventory/products/${sku}`].map((path) => service.oms.get(path)));
    const before = await owners();

    await create(`order/${orderId}`, { gift: "yes" });
    await create(`product/${product_id}`, { gift: "yes" });

    expect((await owners()).map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  });
});

test("any sequence of calls leaves what a map would hold, and the totals of one", async () => {
  const random = randomFrom(9);
  const owner = newOwner();
  const names = Array.from({ length: 12 }, (_, index) => `name-${index}`);
  /** In the order of creation. */
  const model = new Map<string, string>();
  const met = new Set<string>();
  for (let operation = 0; operation < operations(20, 400); operation += 1) {
    const chosen = [...new Set(Array.from({ length: whole(random, 1, 4) }, () => pick(random, names)))];
    const values = Object.fromEntries(chosen.map((name) => [name, String(operation)]));
    const [first = ""] = chosen;
    switch (pick(random, ["create", "patch", "remove"] as const)) {
      case "create": {
        const free = chosen.every((name) => !model.has(name));
        expect((await create(owner, values)).status).toBe(free ? 200 : 400);
        met.add(`create ${free}`);
        if (free) for (const [name, value] of Object.entries(values)) model.set(name, value);
        break;
      }
      case "patch": {
        const known = chosen.every((name) => model.has(name));
        expect((await patch(owner, values)).status).toBe(known ? 200 : 404);
        met.add(`patch ${known}`);
        if (known) for (const [name, value] of Object.entries(values)) model.set(name, value);
        break;
      }
      case "remove": {
        const known = model.delete(first);
        expect((await remove(owner, first)).status).toBe(known ? 200 : 404);
        met.add(`remove ${known}`);
      }
    }
    const [page, perPage] = [whole(random, 1, 3), whole(random, 1, 6)];
    const listed = await list(owner, `?page=${page}&per_page=${perPage}`);

    const expected = [...model].toReversed().slice((page - 1) * perPage, page * perPage);
    expect(pairs(listed)).toEqual(expected);
    expect(totalOf(listed)).toBe(model.size);
  }
  expect(model.size).toBeGreaterThan(0);
  expect(met.size).toBe(6);
});
