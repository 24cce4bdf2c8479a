import { describe, expect, test } from "vitest";
import { newProduct, newProducts, newStore } from "../../support/business/world.ts";
import { type Answer, at, type Client } from "../../support/http/client.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const ownSku = "SECOND-1";
const sharedSku = "SHARED-1";
const attributes = [{ attribute: "color", value: "red" }];

const batchOf = (sku: string, value = "stolen") => ({
  sku,
  serial_start: "A1",
  serial_end: "A9",
  attributes: [{ attribute: "color", value }],
});
const create = (owner: Client, ...skus: readonly string[]) =>
  owner.post("/serials/bulk", { data: skus.map((sku) => ({ sku, serials: ["A1", "A2"] })) });
const give = (owner: Client, ...data: readonly object[]) => owner.post("/serials/batch/attributes", { data });

const service = await sharedService({ demoData: true });
const other = { db: service.db, ...(await newStore(service)) };
const stranger = other.oms;
await newProducts(
  other,
  [ownSku, sharedSku].map((sku) => ({ sku })),
);
await newProduct(service, { sku: sharedSku });
await create(service.oms, "DEMO-TEE", sharedSku);
await give(service.oms, { ...batchOf("DEMO-TEE"), attributes });
await create(stranger, ownSku);

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

const everything = async () => [
  (await service.oms.get("/serials/DEMO-TEE/A1")).body,
  (await service.oms.get("/serials/DEMO-TEE/A2")).body,
  (await stranger.get(`/serials/${ownSku}/A1`)).body,
];

describe("another account's serials", () => {
  test("cannot be read by SKU, as if the SKU were not there", async () => {
    const owners = await service.oms.get("/serials/DEMO-TEE/A1");
    const strangers = await stranger.get("/serials/DEMO-TEE/A1");
    const missing = await stranger.get("/serials/NO-SUCH/A1");

    const text = ({ body }: Answer, sku: string) => JSON.stringify(body).replace(sku, "?");
    expect(statusesOf([owners, strangers, missing])).toEqual([200, 404, 404]);
    expect(text(strangers, "DEMO-TEE")).toBe(text(missing, "NO-SUCH"));
  });

  changeNothing(everything);
});

describe("two accounts with one SKU", () => {
  test("have each its own serials and attributes of it", async () => {
    const missing = await stranger.get(`/serials/${sharedSku}/A1`);
    const ranged = await give(stranger, batchOf(sharedSku));
    const created = await create(stranger, sharedSku);
    await give(stranger, batchOf(sharedSku, "theirs"));
    await give(service.oms, batchOf(sharedSku, "ours"));

    const found = [
      await service.oms.get(`/serials/${sharedSku}/A1`),
      await stranger.get(`/serials/${sharedSku}/A1`),
    ];

    expect(statusesOf([missing, ranged, created])).toEqual([404, 404, 200]);
    expect(found.map(({ body }) => at(body, "data.attributes.0.value"))).toEqual(["ours", "theirs"]);
    expect(at(found[0]?.body, "data.product_id")).not.toBe(at(found[1]?.body, "data.product_id"));
  });
});
