import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, at, numberAt } from "../../support/http/client.ts";
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

  changeNothing(stored);
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
