import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, at, type Client, listAt, numberAt } from "../../support/http/client.ts";
import { expectRefusedAt } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { synsetOf, unique } from "../../support/records/records.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { newProduct, newProducts, newStore } from "../../support/store/world.ts";

let service: Service;
/** Another account, which has a product of its own. */
let stranger: Client;
/** The synsets that PATCH calls of this file are about; none of them may change the first one. */
let existing: string;
let second: string;
/** One product more than a synset may take. */
const skus = Array.from({ length: 101 }, () => unique("PART"));
beforeAll(async () => {
  service = await sharedService({ demoData: true });
  const other = { db: service.db, ...(await newStore(service)) };
  stranger = other.oms;
  await newProduct(other, { sku: "OTHERS-OWN" });
  await newProducts(
    service,
    skus.slice(1).map((sku) => ({ sku })),
  );
  await newProduct(service, { sku: skus[0] });
  const sent = [synsetOf(), synsetOf()] as const;
  [existing, second] = [sent[0].synset, sent[1].synset];
  await service.oms.post("/inventory/synsets", { data: sent });
});

/** What a synset that was stored or changed after all would change. */
const stored = async () => ({
  total: numberAt((await service.oms.get("/inventory/synsets?per_page=1")).body, "metadata.total_records"),
  existing: (await service.oms.get(`/inventory/synsets/${existing}`)).body,
});

const create = (...data: readonly unknown[]): Promise<Answer> =>
  service.oms.post("/inventory/synsets", { data });
const patch = (...data: readonly unknown[]): Promise<Answer> =>
  service.oms.patch("/inventory/synsets", { data });

/** The answers to creating a synset with these items, and to giving them to the existing one. */
const both = async (items: unknown): Promise<readonly Answer[]> => [
  await create({ ...synsetOf(), items }),
  await patch({ synset: existing, items }),
];

const single = (path: string, message: string) => ({
  response: { success: false, message: `${path} ${message}`, errors: [{ path, message }] },
});

const noText = [12, true, ["a"], { a: 1 }, null];
const tee = { sku: "DEMO-TEE", quantity: 1 };

describe("a wrong synset call is 400 and stores nothing", () => {
  test.each<[string, object]>([
    ["synset", { synset: undefined }],
    ["items", { items: undefined }],
    ["items.0.sku", { items: [{ quantity: 1 }] }],
    ["items.0.quantity", { items: [{ sku: "DEMO-TEE" }] }],
  ])("POST: %s is required", async (field, more) => {
    const answer = await create({ ...synsetOf(), ...more });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single(`data.0.${field}`, "is required"));
  });

  test.each<[string, object]>([
    ["synset", { synset: undefined }],
    ["items.1.sku", { items: [tee, { quantity: 1 }] }],
    ["items.1.quantity", { items: [tee, { sku: "DEMO-MUG" }] }],
  ])("PATCH: %s is required", async (field, more) => {
    const answer = await patch({ synset: existing, items: [tee], ...more });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single(`data.0.${field}`, "is required"));
  });

  test.each([...noText, "", "x".repeat(101), "half \ud800"].map((synset) => [synset]))(
    "POST and PATCH: the name %j",
    async (synset) => {
      const answers = [await create({ ...synsetOf(), synset }), await patch({ synset, items: [tee] })];

      for (const { status, body } of answers) {
        expect(status).toBe(400);
        expect(at(body, "response.errors.0.path")).toBe("data.0.synset");
      }
    },
  );

  test.each<[string, readonly unknown[], (value: unknown) => unknown]>([
    ["items", ["DEMO-TEE", 1, true, tee, null, []], (value) => value],
    ["items.1", ["DEMO-TEE", 1, true, [tee], null], (value) => [tee, value]],
    ["items.1.sku", [...noText, "", "x".repeat(101), "half \ud800"], (sku) => [tee, { sku, quantity: 1 }]],
    [
      "items.1.quantity",
      ["1", true, [1], { a: 1 }, null, 0, -1, 1.5, 1_000_000_001, 1e300],
      (quantity) => [tee, { sku: "DEMO-MUG", quantity }],
    ],
  ])("POST and PATCH: %s must have its type", async (field, values, itemsWith) => {
    const wrong = values.map((value) => ({ items: itemsWith(value) }));

    const created = await create(...wrong.map((one) => ({ ...synsetOf(), ...one })));
    const patched = await patch(...wrong.map((one) => ({ synset: existing, ...one })));

    const paths = values.map((_, record) => `data.${record}.${field}`);
    for (const answer of [created, patched]) expectRefusedAt(answer, paths);
  });

  test("POST and PATCH: more than 100 items", async () => {
    for (const { status, body } of await both(skus.map((sku) => ({ sku, quantity: 1 })))) {
      expect(status).toBe(400);
      expect(body).toEqual(single("data.0.items", "must hold at most 100 elements"));
    }
  });

  test.each<[string, () => string]>([
    ["an unknown SKU", () => "NO-SUCH"],
    ["a SKU in other letters", () => "demo-tee"],
    ["another synset, or itself", () => existing],
    ["another account's SKU", () => "OTHERS-OWN"],
  ])("POST and PATCH: a component that is %s", async (_case, skuOf) => {
    const sku = skuOf();

    for (const { status, body } of await both([tee, { sku, quantity: 1 }])) {
      expect(status).toBe(400);
      expect(body).toEqual(single("data.0.items.1.sku", `is not a known SKU (${sku})`));
    }
  });

  test("POST and PATCH: a component twice", async () => {
    for (const { status, body } of await both([tee, { sku: "DEMO-MUG", quantity: 1 }, tee])) {
      expect(status).toBe(400);
      expect(body).toEqual(single("data.0.items.2.sku", "is in this synset twice (DEMO-TEE)"));
    }
  });

  test("POST: a name that exists", async () => {
    const answer = await create(synsetOf(), synsetOf(undefined, { synset: existing }));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(single("data.1.synset", `already exists (${existing})`));
  });

  test("POST and PATCH: a name twice in a call", async () => {
    const synset = unique("TWICE");

    const created = await create(synsetOf(undefined, { synset }), synsetOf(), { synset, items: [tee] });
    const patched = await patch({ synset: existing, items: [tee] }, { synset: existing });

    expect([created.status, patched.status]).toEqual([400, 400]);
    expect(created.body).toEqual(single("data.2.synset", `is in this call twice (${synset})`));
    expect(patched.body).toEqual(single("data.1.synset", `is in this call twice (${existing})`));
  });

  test.each([
    [0, "must hold at least 1 element"],
    [101, "must hold at most 100 elements"],
  ])("POST and PATCH: a call of %i records", async (count, message) => {
    const data = Array.from({ length: count }, () => synsetOf());

    for (const { status, body } of [await create(...data), await patch(...data)]) {
      expect(status).toBe(400);
      expect(body).toEqual(single("data", message));
    }
  });

  test("POST: everything that is wrong is listed", async () => {
    const answer = await create(
      synsetOf([tee, { sku: "NO-SUCH", quantity: 1 }, tee]),
      synsetOf(undefined, { synset: existing }),
    );

    expect(
      listAt(answer.body, "response.errors")
        .map((error) => at(error, "path"))
        .toSorted(),
    ).toEqual(["data.0.items.1.sku", "data.0.items.2.sku", "data.1.synset"]);
  });

  test("PATCH: one bad record among good ones", async () => {
    const good = { synset: existing, items: [{ sku: "DEMO-CAP", quantity: 9 }] };

    const wrongType = await patch(good, { synset: second, items: "DEMO-TEE" });
    const wrongReference = await patch(good, {
      synset: second,
      items: [{ sku: "NO-SUCH", quantity: 1 }],
    });
    const unknown = await patch(good, { synset: "NO-SUCH" });

    expectRefusedAt(wrongType, ["data.1.items"]);
    expect([wrongReference.status, unknown.status]).toEqual([400, 404]);
    expect(at(unknown.body, "response.errors.0.path")).toBe("data.1.synset");
    expect(at(wrongReference.body, "response.errors")).toEqual([
      { path: "data.1.items.0.sku", message: "is not a known SKU (NO-SUCH)" },
    ]);
  });

  test("POST: one bad record among good ones", async () => {
    const good = [synsetOf(), synsetOf()];

    const answer = await create(good[0], synsetOf([{ sku: "NO-SUCH", quantity: 1 }]), good[1]);
    const found = await Promise.all(
      good.map(({ synset }) => service.oms.get(`/inventory/synsets/${synset}`)),
    );

    expect(answer.status).toBe(400);
    expect(found.map(({ status }) => status)).toEqual([404, 404]);
  });

  changeNothing(stored);
});

describe("what looks wrong and is not", () => {
  test.each<[string, object]>([
    ["a name of 100 characters", { synset: unique("K").padEnd(100, "x") }],
    ["a name that is a number", { synset: "123456" }],
    ["100 items", { items: skus.slice(1).map((sku) => ({ sku, quantity: 1 })) }],
    ["the largest quantity", { items: [{ sku: "DEMO-TEE", quantity: 1_000_000_000 }] }],
  ])("%s", async (_case, more) => {
    const sent = synsetOf(undefined, more);

    const answer = await create(sent);

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0")).toMatchObject(sent);
  });

  test("a name that another synset has in other letters, or in another account", async () => {
    const upper = synsetOf(undefined, { synset: existing.toLowerCase() });

    const ours = await create(upper);
    const theirs = await stranger.post("/inventory/synsets", {
      data: [synsetOf([{ sku: "OTHERS-OWN", quantity: 1 }], { synset: existing })],
    });

    expect([ours.status, theirs.status]).toEqual([200, 200]);
  });
});
