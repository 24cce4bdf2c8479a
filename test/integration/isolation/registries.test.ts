import { beforeAll, describe, expect, test } from "vitest";
import { putManufactureOrder } from "../../../infra/operator/set-up/manufacture.ts";
import { newProduct, newStore } from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
const { oms: stranger, accountId: strangerId } = await newStore(service);

describe("distribution centers, which are the warehouse's", () => {
  test.each(["/distribution_centers", "/distribution_centers/1", "/distribution_centers/2"])(
    "read the same for every account: %s",
    async (path) => {
      const [ours, theirs] = [await service.oms.get(path), await stranger.get(path)];

      expect([ours.status, theirs.status]).toEqual([200, 200]);
      expect(theirs.body).toEqual(ours.body);
    },
  );
});

describe("another account's manufacture orders", () => {
  let ours: number;
  let theirs: number;
  beforeAll(async () => {
    const { sku } = await newProduct({ db: service.db, accountId: strangerId });
    const terms = {
      manufacture_number: unique("MO"),
      quantity: 5,
      status: "Pending",
      due_date: null,
    } as const;
    const of = async (accountId: number, sku: string) =>
      (await putManufactureOrder(service.db, accountId, { ...terms, sku })).manufacture_id;
    ours = await of(service.accountId, "DEMO-TEE");
    theirs = await of(strangerId, sku);
  });

  test("cannot be read by their id, and read like one that does not exist", async () => {
    const foreign = await stranger.get(`/manufacture/${ours}`);
    const missing = await stranger.get("/manufacture/999999999");

    expect([foreign.status, missing.status]).toEqual([404, 404]);
    expect(JSON.stringify(foreign.body).replace(String(ours), "?")).toBe(
      JSON.stringify(missing.body).replace("999999999", "?"),
    );
    expect((await service.oms.get(`/manufacture/${ours}`)).status).toBe(200);
  });

  test("are in nobody else's list and count", async () => {
    const answer = await stranger.get("/manufacture?per_page=100");

    expect(listAt(answer.body, "data").map((order) => at(order, "manufacture_id"))).toEqual([theirs]);
    expect(at(answer.body, "metadata.total_records")).toBe(1);
  });
});

test.each([
  ...["/distribution_centers", "/distribution_centers/1", "/manufacture", "/manufacture/1"],
  "/inventory/stock/DEMO-TEE/movements",
])("%s can be changed by nobody over the API: all other methods are 405", async (path) => {
  const before = (await service.oms.get(path)).body;
  const body = JSON.stringify({ quantity: 1, data: [{ quantity: 1 }] });
  const json = { "content-type": "application/json" };

  const answers = await Promise.all(
    ["POST", "PUT", "PATCH", "DELETE"].flatMap((method) =>
      [service.oms, stranger].map((caller) => caller.send(method, path, body, json)),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(405));
  expect((await service.oms.get(path)).body).toEqual(before);
});
