import { describe, expect, test } from "vitest";
import { countEach, newProducts } from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { synsetOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
const [shirt = "", cup = "", moved = "", east = ""] = (
  await newProducts(service, [{}, {}, {}, { distribution_center: "EAST" }])
).map(({ sku }) => sku);
await countEach(service, [
  { sku: shirt, contents: 10 },
  { sku: cup, contents: 9 },
]);
/** 10 of the first, 9 of the second, both at MAIN; the third is at EAST, where there is none. */
const skus = [shirt, cup, east] as const;
/** The kits that tests share, by their quantities. */
const kits = new Map<string, Promise<Kit>>();

interface Kit {
  readonly kit: string;
  readonly synset_id: number;
}

/** A new kit of these products. */
async function newKit(items: Parameters<typeof synsetOf>[0]): Promise<Kit> {
  const sent = synsetOf(items);
  const { body } = await service.oms.post("/inventory/synsets", { data: [sent] });
  return { kit: sent.synset, synset_id: numberAt(body, "data.0.synset_id") };
}

/** A kit of so many units of some of the products, in their order. */
function kitOf(...quantities: readonly number[]): Promise<Kit> {
  const items = quantities.flatMap((quantity, position) => {
    const sku = skus[position];
    return sku === undefined || quantity === 0 ? [] : [{ sku, quantity }];
  });
  const kit = kits.get(quantities.join()) ?? newKit(items);
  kits.set(quantities.join(), kit);
  return kit;
}

const stock = (query: string) => service.oms.get(`/inventory/stock?${query}`);

describe("stock of a kit", () => {
  test("is what can be built of it, at the center that all of it is reserved in", async () => {
    const { kit, synset_id } = await kitOf(2, 1);

    const answer = await stock(`sku=${kit}`);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: [
        {
          sku: kit,
          product_id: null,
          synset_id,
          distribution_center: "MAIN",
          on_hand: null,
          reserved: null,
          available: 5,
          held: null,
          incoming: null,
          limited_by: skus[0],
        },
      ],
      metadata: { page: 1, per_page: 1000, total_records: 1, total_pages: 1, total_current_page: 1 },
      pagination: { current_page: 1, per_page: 1000, total: 1, total_pages: 1 },
    });
  });

  test("of components from several centers is at none of them", async () => {
    const { kit } = await kitOf(1, 0, 1);

    const answer = await stock(`sku=${kit}`);

    expect(at(answer.body, "data")).toMatchObject([
      { sku: kit, distribution_center: null, available: 0, limited_by: skus[2] },
    ]);
  });

  test.each<[string, readonly number[], string, number]>([
    ["at its center", [1, 1], "MAIN", 1],
    ["at another center", [1, 1], "EAST", 0],
    ["at its center in other letters", [1, 1], "main", 0],
    ["from another center, there", [0, 0, 1], "EAST", 1],
    ["from several centers, at either", [1, 0, 1], "MAIN", 0],
  ])("asked for %s is counted exactly", async (_case, quantities, center, count) => {
    const { kit } = await kitOf(...quantities);

    const answer = await stock(`sku=${kit}&distribution_center=${center}`);

    expect(answer.status).toBe(200);
    expect(listAt(answer.body, "data")).toHaveLength(count);
    expect(numberAt(answer.body, "metadata.total_records")).toBe(count);
    expect(numberAt(answer.body, "pagination.total")).toBe(count);
  });

  test("is on the first page alone", async () => {
    const { kit } = await kitOf(1, 1);

    const answer = await stock(`sku=${kit}&per_page=1&page=2`);

    expect(at(answer.body, "data")).toEqual([]);
    expect(numberAt(answer.body, "metadata.total_records")).toBe(1);
  });

  test("follows its components' center", async () => {
    const sku = moved;
    const { kit } = await newKit([{ sku, quantity: 1 }]);
    const centerOf = async () => at((await stock(`sku=${kit}`)).body, "data.0.distribution_center");
    const before = await centerOf();

    await service.oms.patch("/inventory/products", {
      data: [{ sku, distribution_center: "EAST" }],
    });

    expect([before, await centerOf()]).toEqual(["MAIN", "EAST"]);
  });

  test("is found by its whole name alone", async () => {
    const { kit, synset_id } = await kitOf(1, 1);

    for (const sku of [kit.toLowerCase(), kit.slice(0, -1), synset_id]) {
      const answer = await stock(`sku=${sku}`);

      expect(at(answer.body, "data"), String(sku)).toEqual([]);
      expect(numberAt(answer.body, "metadata.total_records")).toBe(0);
    }
  });

  test("is not in the lists of products' stock, of all centers and of its own", async () => {
    const queries = ["", "distribution_center=MAIN"];
    const listed = async () => {
      const answers = await Promise.all(queries.map(stock));
      for (const { body } of answers)
        expect(listAt(body, "data")).toHaveLength(numberAt(body, "metadata.total_records"));
      return answers.map(({ body }) => listAt(body, "data").map((level) => at(level, "sku")));
    };
    const before = await listed();
    const { kit } = await newKit([{ sku: skus[0], quantity: 1 }]);

    const after = await listed();

    expect(after).toEqual(before);
    expect(after.flat()).not.toContain(kit);
  });
});
