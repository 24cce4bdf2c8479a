import { beforeAll, describe, expect, test } from "vitest";
import { putAway } from "../../../shared/inbound/put-away.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { contextOf } from "../../support/records/flows.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { asItIs, newProducts, replenishment } from "../../support/store/world.ts";

let service: Service;
/** The replenishment that PATCH calls of this file are about, of two products; none of them may change it. */
let existing: number;
let one: string;
let other: string;

beforeAll(async () => {
  service = await sharedService({ demoData: true });
  [one = "", other = ""] = (await newProducts(service, 2)).map(({ sku }) => sku);
  const target = await replenishment(
    service,
    [one, other].map((sku) => ({ sku, quantity: 5 })),
  );
  existing = target.replenishment_id;
  const move = { sku: one, quantity: 2, location: "B1", bin: "02" };
  await putAway(contextOf(service), target, move, asItIs);
});

const create = (...data: readonly unknown[]): Promise<Answer> =>
  service.oms.post("/inventory/replenishments", { data });
const patch = (...data: readonly unknown[]): Promise<Answer> =>
  service.oms.patch("/inventory/replenishments", { data });

/** What a replenishment that was stored or changed after all would change. */
const stored = async () => ({
  list: (await service.oms.get("/inventory/replenishments?per_page=100")).body,
  stock: (await service.oms.get("/inventory/stock")).body,
});

const single = (path: string, message: string) => ({
  response: { success: false, message: `${path} ${message}`, errors: [{ path, message }] },
});

const line = (more: object = {}) => ({ sku: one, quantity: 3, ...more });
const record = (more: object = {}) => ({ items: [line()], ...more });

describe("a wrong replenishment call is 400 and stores nothing", () => {
  test.each(["NO-SUCH", "DEMO-KIT", "EXT-TEE", "demo-tee"])(
    "POST and PATCH: %j, which is no product's SKU",
    async (sku) => {
      const items = [line(), line({ sku })];
      const answers = [await create({ items }), await patch({ replenishment_id: existing, items })];

      for (const { status, body } of answers) {
        expect(status).toBe(400);
        expect(at(body, "response.errors.0")).toEqual({
          path: "data.0.items.1.sku",
          message: `is not a known SKU (${sku})`,
        });
      }
    },
  );

  test("POST and PATCH: more than 500 lines", async () => {
    const lines = Array.from({ length: 501 }, () => line());

    const answers = [
      await create({ items: lines }),
      await patch({ replenishment_id: existing, items: lines }),
    ];

    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual(single("data.0.items", "must hold at most 500 elements"));
    }
  });

  test("POST: everything that is wrong is listed", async () => {
    const answer = await create(
      record({ items: [line({ sku: "NO-1" }), line(), line({ sku: "NO-2" })], distribution_center: "WEST" }),
      record(),
      record({ items: [line({ sku: "NO-3" })] }),
    );

    expect(listAt(answer.body, "response.errors").map((error) => at(error, "path"))).toEqual([
      "data.0.items.0.sku",
      "data.0.items.2.sku",
      "data.0.distribution_center",
      "data.2.items.0.sku",
    ]);
  });

  test.each<[string, () => readonly object[], string]>([
    ["less than", () => [{ sku: one, quantity: 1 }], "(1)"],
    ["less, over several lines, than", () => [{ sku: other, quantity: 9 }, line({ quantity: 1 })], "(1)"],
    ["nothing of", () => [{ sku: other, quantity: 9 }], "(0)"],
  ])("PATCH: %s what was put away", async (_case, items, left) => {
    const answer = await patch({ replenishment_id: existing, items: items() });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      single("data.0.items", `announce less of ${one} ${left} than was put away already (2)`),
    );
  });

  test("PATCH: another center once something was put away", async () => {
    const answer = await patch({ replenishment_id: existing, distribution_center: "EAST" });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      single("data.0.distribution_center", "can't be another than MAIN, where goods were put away already"),
    );
  });

  test("one bad record among good ones", async () => {
    const answers = [
      await create(record(), record({ distribution_center: "WEST" })),
      await patch({ replenishment_id: existing, eta: "2026-01-01" }, { replenishment_id: 1, eta: "soon" }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers.map(({ body }) => at(body, "response.errors.0.path"))).toEqual([
      "data.1.distribution_center",
      "data.1.eta",
    ]);
  });

  changeNothing(stored);
});

describe("what looks wrong and is not", () => {
  test("a PATCH of the center that it goes to already, though goods were put away", async () => {
    const answer = await patch({ replenishment_id: existing, distribution_center: "MAIN" });

    expect(answer.status).toBe(200);
  });

  test.each(["2024-02-29", "1999-01-01", "9999-12-31"])(
    "the eta %s, with a center that is empty",
    async (eta) => {
      const answer = await create(record({ eta, distribution_center: "" }));

      expect(answer.status).toBe(200);
      expect(at(answer.body, "data.0")).toMatchObject({ eta, distribution_center: "MAIN" });
    },
  );

  test("a quantity of a billion in 200 lines of one product", async () => {
    const items = Array.from({ length: 200 }, () => ({ sku: other, quantity: 1_000_000_000 }));
    const incoming = async () =>
      numberAt((await service.oms.get(`/inventory/stock?sku=${other}`)).body, "data.0.incoming");
    const before = await incoming();

    const answer = await create({ items });

    expect(answer.status).toBe(200);
    expect(await incoming()).toBe(before + 200_000_000_000);
  });
});
