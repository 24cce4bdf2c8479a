import { describe, expect, test } from "vitest";
import { barcodeOf } from "../../../shared/orders/order.ts";
import { claimedOrder, newProduct, newStore } from "../../support/business/world.ts";
import { timesAtOnce } from "../../support/http/at-once.ts";
import { at, numberAt } from "../../support/http/client.ts";
import { randomFrom, whole } from "../../support/http/random.ts";
import { customer, orderOf, productOf, recountOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });

const key = () => ({ "Idempotency-Key": unique("key") });
const total = async () =>
  numberAt((await service.oms.get("/orders?per_page=1")).body, "metadata.total_records");

describe("an Idempotency-Key", () => {
  test("keeps an error answer too", async () => {
    const [headers, body] = [key(), { data: [orderOf([{ sku: "LATER", quantity: 1 }])] }];
    const first = await service.oms.post("/orders", body, headers);
    await newProduct(service, { sku: "LATER" });
    const again = await service.oms.post("/orders", body, headers);

    expect([first.status, again.status]).toEqual([400, 400]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  test("with another body is an error", async () => {
    const headers = key();
    await service.oms.post("/orders", { data: [orderOf()] }, headers);
    const other = await service.oms.post("/orders", { data: [orderOf()] }, headers);

    expect(other.status).toBe(400);
    expect(at(other.body, "response.message")).toBe("The Idempotency-Key was used for another request");
  });

  test("belongs to the credentials and the route that sent it", async () => {
    const headers = key();
    await service.oms.post("/ping", undefined, headers);
    const otherRoute = await service.oms.post("/orders/cancel", { order_id: 999 }, headers);
    const otherAccount = await (await newStore(service)).oms.post("/ping", undefined, headers);

    expect(otherRoute.status).toBe(404);
    expect(otherAccount.headers.get("idempotent-replayed")).toBeNull();
  });

  test("lets one of several calls at once run; the others are told to wait or given its answer", async () => {
    const [headers, before] = [key(), await total()];
    const body = { data: Array.from({ length: 30 }, () => orderOf()) };
    const answers = await timesAtOnce(service, 6, () => service.oms.post("/orders", body, headers));

    const answered = answers.filter(({ status }) => status === 200);
    const waiting = answers.filter(({ status }) => status === 429);
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.length + waiting.length).toBe(6);
    expect(new Set(answered.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(await total()).toBe(before + 30);
  });

  test("keeps an answer that is larger than an item of the database", async () => {
    const lines = (order: number) =>
      Array.from({ length: 25 }, (_, line) => ({ sku: "DEMO-MUG", quantity: order * 25 + line + 1 }));
    const long = "x".repeat(255);
    const talkative = { ...customer, firstname: long, lastname: long, address1: long, city: long };
    const data = Array.from({ length: 100 }, (_, order) => orderOf(lines(order), { customer: talkative }));
    const body = { data };
    const headers = key();
    const first = await service.oms.post("/orders", body, headers);
    const again = await service.oms.post("/orders", body, headers);

    expect(first.status).toBe(200);
    expect(JSON.stringify(first.body).length).toBeGreaterThan(400_000);
    expect(again.body).toEqual(first.body);
  });

  test("gives an answer that is too large to keep all the same, and again", async () => {
    const random = randomFrom(7);
    const ideographs = () => Array.from({ length: 2000 }, () => whole(random, 0x4e00, 0x9fff));
    const described = () => ({
      description: String.fromCodePoint(...ideographs()),
      category: "x".repeat(255),
    });
    const [headers, body] = [key(), { data: Array.from({ length: 100 }, () => productOf(described())) }];
    const first = await service.oms.post("/inventory/products", body, headers);
    const again = await service.oms.post("/inventory/products", body, headers);

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
  });

  test.each<[string, string, (orderId: number) => object]>([
    ["weights", "/orders/UpdateWeight", (id) => ({ data: [{ nbtybarcode: barcodeOf(id), weight: 1 }] })],
    [
      "reverts, also when the shipment has left Processing by them",
      "/shipments/revert/pending",
      (id) => ({ shipments_list: [id] }),
    ],
  ])("works for %s", async (_case, path, bodyOf) => {
    const headers = key();
    const body = bodyOf(await claimedOrder(service, [{ sku: "DEMO-MUG", quantity: 1 }]));
    const first = await service.wms.post(path, body, headers);
    await service.settled();
    const again = await service.wms.post(path, body, headers);

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  test("works for a recount, which keeps its own body, also of errors", async () => {
    const [headers, others] = [key(), key()];
    const body = (bin: string) =>
      recountOf("DEMO-CAP", [{ location: "B1", bin, qty: 1 }], { account_id: service.accountId });
    const first = await service.wms.post("/recount", body("01"), headers);
    const again = await service.wms.post("/recount", body("01"), headers);
    const refused = await service.wms.post("/recount", body("no such bin"), others);
    const refusedAgain = await service.wms.post("/recount", body("no such bin"), others);
    await service.settled();

    expect(again.body).toEqual(first.body);
    expect([refused.status, refusedAgain]).toMatchObject([400, { status: 400, body: refused.body }]);
    expect(at((await service.oms.get("/inventory/stock?sku=DEMO-CAP")).body, "data.0.on_hand")).toBe(11);
  });
});
