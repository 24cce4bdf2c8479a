import { beforeAll, expect, test } from "vitest";
import { type Answer, at, type Client, listAt, numberAt } from "../../support/http/client.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newProduct, newStore, replenishment } from "../../support/store/world.ts";

let service: Service;
/** Another account, which looks at what is the owner's. */
let stranger: Client;
/** The owner's replenishment, and the stranger's own. */
let theirs: number;
let own: number;

beforeAll(async () => {
  service = await sharedService({ demoData: true });
  const other = { db: service.db, ...(await newStore(service)) };
  stranger = other.oms;
  await newProduct(other, { sku: "SECOND-1" });
  ({ replenishment_id: theirs } = await replenishment(service, [{ sku: "DEMO-TEE", quantity: 3 }]));
  ({ replenishment_id: own } = await replenishment(other, [{ sku: "SECOND-1", quantity: 3 }]));
});

const stateOf = async (owner: Client) => ({
  replenishments: (await owner.get("/inventory/replenishments")).body,
  stock: (await owner.get("/inventory/stock")).body,
});

test("another account's replenishment reads like one that does not exist", async () => {
  const foreign = await stranger.get(`/inventory/replenishments/${theirs}`);
  const missing = await stranger.get("/inventory/replenishments/999999999");

  const shape = ({ status, body }: Answer, id: string) => [status, JSON.stringify(body).replace(id, "?")];
  expect(foreign.status).toBe(404);
  expect(shape(foreign, String(theirs))).toEqual(shape(missing, "999999999"));
});

test("it is in no list of the stranger's, nor in its totals", async () => {
  const { body } = await stranger.get("/inventory/replenishments?per_page=100");

  expect(listAt(body, "data").map((record) => at(record, "replenishment_id"))).toEqual([own]);
  expect(numberAt(body, "metadata.total_records")).toBe(1);
});

test("it cannot be changed: 404, also among one's own", async () => {
  const answers = [
    await stranger.patch("/inventory/replenishments", {
      data: [{ replenishment_id: theirs, eta: "2026-01-01" }],
    }),
    await stranger.patch("/inventory/replenishments", {
      data: [
        { replenishment_id: own, eta: "2026-01-01" },
        { replenishment_id: theirs, eta: "2026-01-01" },
      ],
    }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  for (const { body } of answers) {
    expect(at(body, "response.message")).toBe(`There is no replenishment with replenishment_id ${theirs}`);
  }
});

test("another account's product can be announced neither anew nor by a change: 400", async () => {
  const items = [{ sku: "DEMO-TEE", quantity: 1 }];
  const answers = [
    await stranger.post("/inventory/replenishments", { data: [{ items }] }),
    await stranger.patch("/inventory/replenishments", { data: [{ replenishment_id: own, items }] }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  for (const { body } of answers) {
    expect(at(body, "response.errors")).toEqual([
      { path: "data.0.items.0.sku", message: "is not a known SKU (DEMO-TEE)" },
    ]);
  }
});

changeNothing(async () => [await stateOf(service.oms), await stateOf(stranger)]);
