import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, at, type Client, listAt, numberAt } from "../../support/http/client.ts";
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
  const sent = synsetOf();
  existing = sent.synset;
  await service.oms.post("/inventory/synsets", { data: [sent] });
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

const tee = { sku: "DEMO-TEE", quantity: 1 };

describe("a wrong synset call is 400 and stores nothing", () => {
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
