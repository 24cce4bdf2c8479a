import { beforeAll, describe, expect, test } from "vitest";
import { putAway } from "../../../shared/inbound/put-away.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { expectRefusedAt } from "../../support/http/refused.ts";
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
const noDay = [12, true, ["a"], { a: 1 }];
const noText = [...noDay, null];
const noNumber = ["3", true, [3], { a: 1 }, null, 1.5];

const wrongFields: readonly (readonly [string, readonly unknown[]])[] = [
  ["items", ["A", 3, true, null, { sku: "A", quantity: 1 }, []]],
  ["distribution_center", [12, true, ["a"], { a: 1 }, "x".repeat(256), "EAST\ud800"]],
  ["eta", [...noDay, "2026-02-30", "2026-2-3", "03/02/2026", "2026-02-30T00:00:00Z", "tomorrow"]],
];

const wrongLines: readonly (readonly [string, readonly unknown[]])[] = [
  ["sku", [...noText, undefined, "", "x".repeat(101), "A\ud800"]],
  ["quantity", [...noNumber, undefined, 0, -1, 1_000_000_001]],
];

describe("a wrong replenishment call is 400 and stores nothing", () => {
  test.each(wrongFields)("POST and PATCH: %s must have its type", async (field, values) => {
    const wrong = values.map((value) => ({ [field]: value }));

    const answers = [
      await create(...wrong.map(record)),
      await patch(...wrong.map((one) => ({ replenishment_id: existing, ...one }))),
    ];

    const paths = values.map((_, position) => `data.${position}.${field}`);
    for (const answer of answers) expectRefusedAt(answer, paths);
  });

  test.each(wrongLines)("POST and PATCH: %s of a line must have its type", async (field, values) => {
    const wrong = values.map((value) => ({ items: [line(), line({ [field]: value })] }));

    const answers = [
      await create(...wrong),
      await patch(...wrong.map((one) => ({ replenishment_id: existing, ...one }))),
    ];

    const paths = values.map((_, position) => `data.${position}.items.1.${field}`);
    for (const answer of answers) expectRefusedAt(answer, paths);
  });

  test.each([12, "a", null, [1]])("POST and PATCH: the line %j", async (wrong) => {
    const answers = [
      await create({ items: [wrong] }),
      await patch({ replenishment_id: existing, items: [wrong] }),
    ];

    const message = wrong === null ? "is required" : "must be an object";
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual(single("data.0.items.0", message));
    }
  });

  test("POST: items are required", async () => {
    const answer = await create({ distribution_center: "EAST" });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data.0.items", "is required"));
  });

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

  test.each(["WEST", "main", "MAIN "])("POST and PATCH: the center %j", async (code) => {
    const wrong = { distribution_center: code };
    const answers = [await create(record(wrong)), await patch({ replenishment_id: existing, ...wrong })];

    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual(
        single(
          "data.0.distribution_center",
          `is not a registered distribution center (${code}); registered are EAST, IDLE, MAIN`,
        ),
      );
    }
  });

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

  test.each([
    [0, "must hold at least 1 element"],
    [101, "must hold at most 100 elements"],
  ])("POST and PATCH: a call of %i records", async (count, message) => {
    const answers = [
      await create(...Array.from({ length: count }, () => record())),
      await patch(...Array.from({ length: count }, () => ({ replenishment_id: existing }))),
    ];

    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual(single("data", message));
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

  test("PATCH: a replenishment_id that is no id", async () => {
    const wrong = [...noNumber, undefined, 0, -1];

    const answer = await patch(...wrong.map((replenishment_id) => ({ replenishment_id, eta: "2026-01-01" })));

    expectRefusedAt(
      answer,
      wrong.map((_, position) => `data.${position}.replenishment_id`),
    );
  });

  test("PATCH: one replenishment twice in a call", async () => {
    const answer = await patch(
      { replenishment_id: existing, eta: "2026-01-01" },
      { replenishment_id: existing, eta: "2026-01-02" },
    );

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data.1.replenishment_id", `is in this call twice (${existing})`));
  });

  test.each([999_999_999, 9_007_199_254_740_991])(
    "PATCH: the unknown id %i is 404",
    async (replenishment_id) => {
      const answers = [
        await patch({ replenishment_id, eta: "2026-01-01" }),
        await patch({ replenishment_id: existing, eta: "2026-01-01" }, { replenishment_id }),
      ];

      for (const { status, body } of answers) {
        expect(status).toBe(404);
        expect(at(body, "response.message")).toBe(
          `There is no replenishment with replenishment_id ${replenishment_id}`,
        );
      }
    },
  );

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

describe("reading one replenishment", () => {
  test.each(["999999999", "0", "-1", "1.5", "abc", "1e3", "9".repeat(60)])("%s is 404", async (id) => {
    const answer = await service.oms.get(`/inventory/replenishments/${id}`);

    expect(answer.status).toBe(404);
    expect(at(answer.body, "response.message")).toBe(`There is no replenishment with replenishment_id ${id}`);
  });

  test.each(["page=0", "page=x", "per_page=0", "per_page=101"])("a list with %s is 400", async (query) => {
    const answer = await service.oms.get(`/inventory/replenishments?${query}`);

    expect(answer.status).toBe(400);
  });
});
