import { describe, expect, test } from "vitest";
import { type ComponentStock, stockOfKit } from "../../../shared/stock/kit-stock.ts";
import { pick, randomFrom, whole } from "../../support/http/random.ts";

const component = (sku: string, quantity: number, available: number, center = "MAIN"): ComponentStock => ({
  sku,
  quantity,
  available,
  distribution_center: center,
});

describe("stock of a kit", () => {
  test.each<[string, readonly ComponentStock[], number, string]>([
    ["of one component is what there is of it", [component("TEE", 1, 7)], 7, "TEE"],
    ["is in whole kits", [component("TEE", 3, 8)], 2, "TEE"],
    ["is none where less is there than one kit takes", [component("TEE", 3, 2)], 0, "TEE"],
    ["is none where nothing is there", [component("TEE", 1, 0)], 0, "TEE"],
    ["is none, not less, in a backorder", [component("TEE", 1, 50), component("MUG", 2, -9)], 0, "MUG"],
    ["is the least that its components allow", [component("TEE", 1, 60), component("MUG", 2, 23)], 11, "MUG"],
    ["counts quantities, not stock alone", [component("TEE", 10, 60), component("MUG", 1, 23)], 6, "TEE"],
    [
      "is limited by the first of components that allow the same",
      [component("CAP", 1, 9), component("TEE", 2, 5), component("MUG", 1, 2)],
      2,
      "TEE",
    ],
    [
      "is limited by the first component where none is there",
      [component("CAP", 1, 4), component("TEE", 1, -3), component("MUG", 1, 0)],
      0,
      "TEE",
    ],
    [
      "holds for the largest figures",
      [component("TEE", 1_000_000_000, 200_000_000_000), component("MUG", 1, 1_000_000_000)],
      200,
      "TEE",
    ],
  ])("%s", (_rule, components, available, limited_by) => {
    expect(stockOfKit(components)).toMatchObject({ available, limited_by });
  });

  test.each([
    [["MAIN"], "MAIN"],
    [["EAST", "EAST", "EAST"], "EAST"],
    [["MAIN", "EAST"], null],
    [["MAIN", "MAIN", "EAST"], null],
  ])("of components reserved in %j is in %j", (centers, center) => {
    const components = centers.map((code, position) => component(`P-${position}`, 1, 1, code));

    expect(stockOfKit(components).distribution_center).toBe(center);
  });

  test("of no components is a fault", () => {
    expect(() => stockOfKit([])).toThrow("no components");
  });
});

describe("whatever the components", () => {
  const random = randomFrom(20_261_121);
  const kits = Array.from({ length: 500 }, () =>
    Array.from({ length: whole(random, 1, 45) }, (_, position) =>
      component(
        `P-${position}`,
        whole(random, 1, pick(random, [1, 5, 1000])),
        whole(random, -50, pick(random, [0, 60, 100_000])),
        pick(random, ["MAIN", "EAST"]),
      ),
    ),
  );
  const suffices = ({ quantity, available }: ComponentStock, count: number) =>
    quantity * count <= Math.max(available, 0);

  test("so many kits can be built, and one more can't", () => {
    for (const components of kits) {
      const { available } = stockOfKit(components);

      expect(components.every((one) => suffices(one, available))).toBe(true);
      expect(components.every((one) => suffices(one, available + 1))).toBe(false);
    }
  });

  test("the limiting component is the first that one more kit has too little of", () => {
    for (const components of kits) {
      const { available, limited_by } = stockOfKit(components);

      expect(limited_by).toBe(components.find((one) => !suffices(one, available + 1))?.sku);
    }
  });
});
