import { beforeAll, describe, expect, test } from "vitest";
import { timesAtOnce } from "../../support/http/at-once.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { expectRefusedAt } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { productOf, unique } from "../../support/records/records.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newProduct, newProducts } from "../../support/store/world.ts";

let service: Service;
/** The product that PATCH calls of this file are about; none of them may change it. */
let existing: string;
beforeAll(async () => {
  service = await sharedService();
  await newProducts(service, [{ sku: "DEMO-TEE" }, { sku: "DEMO-MUG" }, { sku: "DEMO-CAP" }]);
  const product = { supplier: "Acme Supply", package_type: "BOX-S", case_qty: 6 };
  existing = (await newProduct(service, product)).sku;
});

/** What a product that was stored or changed after all would change. */
const stored = async () => ({
  products: numberAt(
    (await service.oms.get("/inventory/products?per_page=1")).body,
    "metadata.total_records",
  ),
  stock: numberAt((await service.oms.get("/inventory/stock?per_page=1")).body, "metadata.total_records"),
  existing: (await service.oms.get(`/inventory/products/${existing}`)).body,
});

const create = (...data: readonly unknown[]): Promise<Answer> =>
  service.oms.post("/inventory/products", { data });
const patch = (...data: readonly unknown[]): Promise<Answer> =>
  service.oms.patch("/inventory/products", { data });

const required = ["sku", "description", "width", "length", "height", "weight", "cost", "retail"];

const noWord = [12, true, ["a"], { a: 1 }];
const noText = [...noWord, null];
const noAmount = ["12", true, [1], { a: 1 }, null, -0.01, 1e300];
const text = [
  "upc",
  "harmonization_code",
  "supplier",
  "distribution_center",
  "package_type",
  "category",
  "model",
  "manufacturer",
  "client_option1",
  "client_option2",
  "client_option3",
];
const wrongValues: readonly (readonly [string, readonly unknown[]])[] = [
  ["description", [...noText, "", "x".repeat(2001)]],
  ...["width", "length", "height", "weight", "cost", "retail"].map((field) => [field, noAmount] as const),
  ...text.map((field) => [field, [12, true, ["a"], { a: 1 }, "x".repeat(256)]] as const),
  ["pick_style", [...noWord, "fifo", "RANDOM"]],
  ["one_time_product", [...noWord, "yes", "Maybe"]],
  ["case_qty", ["12", true, [1], { a: 1 }, 0, 0.99, -1]],
  ["image_url", [...noWord, "nothing", "javascript:alert(1)", "ftp://images.example/a.png", "//a/b"]],
];

const single = (path: string, message: string) => ({
  response: { success: false, message: `${path} ${message}`, errors: [{ path, message }] },
});

const wrongReferences: readonly (readonly [string, string, string])[] = [
  ["supplier", "Nobody", "is not a registered supplier (Nobody); registered are Acme Supply"],
  ["supplier", "acme supply", "is not a registered supplier (acme supply); registered are Acme Supply"],
  ["supplier", "Acme Supply ", "is not a registered supplier (Acme Supply ); registered are Acme Supply"],
  [
    "distribution_center",
    "WEST",
    "is not a registered distribution center (WEST); registered are EAST, IDLE, MAIN",
  ],
  [
    "distribution_center",
    "main",
    "is not a registered distribution center (main); registered are EAST, IDLE, MAIN",
  ],
  ["package_type", "BOX-XL", "is not a registered package type (BOX-XL); registered are BOX-M, BOX-S"],
  ["package_type", "box-s", "is not a registered package type (box-s); registered are BOX-M, BOX-S"],
  [
    "pick_style",
    "RANDOM",
    "must be one of STANDARD, SAVE_SPACE, FIFO, LIFO, FEFO, FLFO, LLFO, BIN_ASC, BIN_DESC",
  ],
  ["one_time_product", "yes", "must be one of Yes, Y, YES, No, N, NO"],
];

describe("a wrong product call is 400 and stores nothing", () => {
  test.each(required)("POST: %s is required", async (field) => {
    const answer = await create({ ...productOf(), [field]: undefined });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single(`data.0.${field}`, "is required"));
  });

  test("POST and PATCH: a SKU that is none", async () => {
    const wrong = [...noText, "", "x".repeat(101)];

    const created = await create(...wrong.map((sku) => ({ ...productOf(), sku })));
    const patched = await patch(...wrong.map((sku) => ({ sku, cost: 99 })));

    const paths = wrong.map((_, record) => `data.${record}.sku`);
    for (const answer of [created, patched]) expectRefusedAt(answer, paths);
  });

  test("PATCH: sku is required", async () => {
    const answer = await patch({ cost: 99 });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data.0.sku", "is required"));
  });

  test.each(wrongValues)("POST and PATCH: %s must have its type", async (field, values) => {
    const wrong = values.map((value) => ({ [field]: value }));

    const created = await create(...wrong.map(productOf));
    const patched = await patch(...wrong.map((one) => ({ sku: existing, ...one })));

    const paths = values.map((_, record) => `data.${record}.${field}`);
    for (const answer of [created, patched]) expectRefusedAt(answer, paths);
  });

  test.each(wrongReferences)("POST and PATCH: %s %j", async (field, value, message) => {
    const wrong = { [field]: value };

    const answers = [await create(productOf(wrong)), await patch({ sku: existing, ...wrong })];

    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual(single(`data.0.${field}`, message));
    }
  });

  test("POST and PATCH: amounts that are too small to be kept", async () => {
    const fields = ["width", "length", "height", "weight", "cost", "retail"];
    const wrong = fields.map((field) => ({ [field]: 1e-200 }));

    const created = await create(...wrong.map(productOf));
    const patched = await patch(...wrong.map((one) => ({ sku: existing, ...one })));

    const paths = fields.map((field, record) => `data.${record}.${field}`);
    for (const answer of [created, patched]) expectRefusedAt(answer, paths);
  });

  test.each(["sku", "description", "supplier"])(
    "POST: a %s that is not well-formed Unicode, which could not be kept as it is",
    async (field) => {
      const answer = await create(productOf({ [field]: `${unique("X")}\ud800` }));

      expect(answer.status).toBe(400);
      expect(at(answer.body, "response.errors.0.path")).toBe(`data.0.${field}`);
    },
  );

  test("POST: a SKU that exists", async () => {
    const answer = await create(productOf({ sku: "DEMO-TEE" }));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data.0.sku", "already exists (DEMO-TEE)"));
  });

  test("POST and PATCH: a SKU twice in a call", async () => {
    const sku = unique("TWICE");

    const created = await create(productOf({ sku }), productOf(), productOf({ sku }));
    const patched = await patch({ sku: existing, cost: 1 }, { sku: existing, cost: 2 });

    expect([created.status, patched.status]).toEqual([400, 400]);
    expect(created.body).toEqual(single("data.2.sku", `is in this call twice (${sku})`));
    expect(patched.body).toEqual(single("data.1.sku", `is in this call twice (${existing})`));
  });

  test.each([
    [0, "must hold at least 1 element"],
    [101, "must hold at most 100 elements"],
  ])("POST and PATCH: a call of %i records", async (count, message) => {
    const data = Array.from({ length: count }, () => productOf());

    const answers = [await create(...data), await patch(...data)];

    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual(single("data", message));
    }
  });

  test.each<[string, object]>([
    ["of the wrong type", { width: "1" }],
    ["with an unknown supplier", { supplier: "Nobody" }],
    ["with a taken SKU", { sku: "DEMO-MUG" }],
  ])("POST: one bad record %s among good ones", async (_case, wrong) => {
    const good = [productOf(), productOf()];

    const answer = await create(good[0], productOf(wrong), good[1]);
    const found = await Promise.all(good.map(({ sku }) => service.oms.get(`/inventory/products/${sku}`)));

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.path")).toMatch(/^data\.1\./);
    expect(found.map(({ status }) => status)).toEqual([404, 404]);
  });

  test("POST: everything that is wrong is listed", async () => {
    const answer = await create(
      productOf({ supplier: "Nobody", package_type: "NONE", distribution_center: "WEST" }),
      productOf({ sku: "DEMO-CAP" }),
    );

    expect(listAt(answer.body, "response.errors").map((error) => at(error, "path"))).toEqual([
      "data.0.supplier",
      "data.0.package_type",
      "data.0.distribution_center",
      "data.1.sku",
    ]);
  });

  test("PATCH: one bad record among good ones", async () => {
    const wrongType = await patch({ sku: existing, cost: 99 }, { sku: "DEMO-TEE", cost: "99" });
    const wrongReference = await patch({ sku: existing, cost: 99 }, { sku: "DEMO-TEE", supplier: "Nobody" });
    const unknown = await patch({ sku: existing, cost: 99 }, { sku: "NO-SUCH", cost: 99 });

    expectRefusedAt(wrongType, ["data.1.cost"]);
    expectRefusedAt(wrongReference, ["data.1.supplier"]);
    expect(unknown.status).toBe(404);
    expect(at(unknown.body, "response.errors.0.path")).toBe("data.1.sku");
  });

  changeNothing(stored);
});

describe("two calls that create the same SKU at once", () => {
  test("store it exactly once, and the other is told", async () => {
    let before = await stored();
    for (let round = 0; round < 3; round += 1) {
      const sku = unique("RACE");

      const answers = await timesAtOnce(service, 2, () => create(productOf({ sku })));
      const after = await stored();

      const loser = answers.find(({ status }) => status === 400);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      expect(after.products).toBe(before.products + 1);
      expect(after.stock).toBe(before.stock + 1);
      expect(at(loser?.body, "response.errors")).toEqual([
        { path: "data.0.sku", message: `already exists (${sku})` },
      ]);
      before = after;
    }
  });
});

describe("what looks wrong and is not", () => {
  test.each<[string, object]>([
    ["measures and prices of 0", { width: 0, length: 0, height: 0, weight: 0, cost: 0, retail: 0 }],
    ["a SKU of 100 characters", { sku: unique("S").padEnd(100, "x") }],
    ["a SKU that another has in other letters", { sku: "demo-tee" }],
    ["a case_qty with a fraction, as the interface says number", { case_qty: 1.5 }],
  ])("%s", async (_case, more) => {
    const answer = await create(productOf(more));

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0")).toMatchObject(more);
  });

  test("optional fields that are blank or null, which count as not sent", async () => {
    const texts = { upc: "", supplier: null, distribution_center: " ", package_type: "", model: null };
    const blank = { ...texts, pick_style: "", case_qty: null, image_url: " " };

    const answer = await create(productOf(blank));

    expect(answer.status).toBe(200);
    for (const field of Object.keys(blank)) expect(at(answer.body, `data.0.${field}`), field).toBeNull();
  });
});
