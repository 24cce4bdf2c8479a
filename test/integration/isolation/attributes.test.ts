import { describe, expect, test } from "vitest";
import { putManufactureOrder } from "../../../infra/operator/set-up/manufacture.ts";
import {
  announceReplenishment,
  announceReturn,
  newStore,
  pendingOrder,
  shippedOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { type Answer, at, type Client, listAt, numberAt } from "../../support/http/client.ts";
import { expectAsMissing } from "../../support/http/refused.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
const stranger = (await newStore(service)).oms;
/** The owner's record of every type; its id. */
const records = await ownRecords();

const types = ["order", "product", "replenishment", "return", "manufacture"] as const;

async function ownRecords(): Promise<Readonly<Record<(typeof types)[number], number>>> {
  const { sku, product_id: product } = await stockedProduct(service, 9);
  const items = [{ sku, quantity: 1 }];
  const shipped = await shippedOrder(service, items);
  const terms = { sku, quantity: 5, status: "Pending", due_date: null, manufacture_number: "MO" } as const;
  return {
    order: await pendingOrder(service, items),
    product,
    replenishment: (await announceReplenishment(service, items)).replenishment_id,
    return: (await announceReturn(service, shipped.order_id, items)).return_id,
    manufacture: (await putManufactureOrder(service.db, service.accountId, terms)).manufacture_id,
  };
}

const data = (value: string) => [{ attribute: "color", value }];
const remove = (caller: Client, path: string) => caller.send("DELETE", `${path}?attribute=color`, undefined);
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe("attributes of another account's records", () => {
  test.each(types)("can neither be read nor changed: %s", async (type) => {
    const path = `/attributes/${type}/${records[type]}`;
    const created = await service.oms.post(path, { data: data("red") });
    const before = await service.oms.get(path);

    const answers = [
      await stranger.get(path),
      await stranger.post(path, { data: [{ attribute: "new", value: "stolen" }] }),
      await stranger.patch(path, { data: data("stolen") }),
      await remove(stranger, path),
    ];
    const after = await service.oms.get(path);

    expect(created.status).toBe(200);
    expect(statusesOf(answers)).toEqual([404, 404, 404, 404]);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/red|color|account/);
    expect(after.body).toEqual(before.body);
    expect(numberAt(after.body, "metadata.total_records")).toBe(1);
  });

  test("read as those of a record that does not exist", async () => {
    const foreign = await stranger.get(`/attributes/order/${records.order}`);
    const missing = await stranger.get("/attributes/order/999999999");

    expectAsMissing(foreign, records.order, missing);
  });
});

test("of a distribution center, which is everyone's, each account has its own attributes", async () => {
  const path = "/attributes/distribution_center/1";
  const valuesOf = async (owner: Client) =>
    listAt((await owner.get(path)).body, "data").map((record) => at(record, "value"));
  await service.oms.post(path, { data: data("ours") });

  const unseen = await valuesOf(stranger);
  const untouched = [await stranger.patch(path, { data: data("stolen") }), await remove(stranger, path)];
  const created = await stranger.post(path, { data: data("theirs") });
  const both = [await valuesOf(service.oms), await valuesOf(stranger)];
  await remove(stranger, path);

  expect(unseen).toEqual([]);
  expect(statusesOf(untouched)).toEqual([404, 404]);
  expect(created.status).toBe(200);
  expect(both).toEqual([["ours"], ["theirs"]]);
  expect([await valuesOf(service.oms), await valuesOf(stranger)]).toEqual([["ours"], []]);
});
