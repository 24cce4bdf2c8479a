import { describe, expect, test } from "vitest";
import { listed, type Registry, unregistered } from "../../../shared/registries/registry.ts";
import { accepted } from "../samples.ts";

describe("a reference that names nothing", () => {
  test.each<[Registry, string | number, string]>([
    ["shipping_method", "PIGEON", "is not a shipping method of the account (PIGEON); it has EXPRESS, GROUND"],
    ["store_id", 9, "is not a store of the account (9); it has 1 (Demo Web Store), 2 (Demo Marketplace)"],
    ["package_type", "BAG", "is not a registered package type (BAG); registered are BOX-M, BOX-S"],
    ["location", "Z9", "is not a known location (Z9); known are A1, A2, B1"],
  ])("to a %s says what could be named", (registry, value, message) => {
    expect(unregistered(registry, value, accepted, "data.0.x")).toEqual({
      path: "data.0.x",
      message,
      code: "unknown_reference",
    });
  });

  test("says that there is nothing to name", () => {
    expect(unregistered("supplier", "Acme", () => [], "supplier").message).toBe(
      "is not a registered supplier (Acme); registered are none",
    );
  });
});

describe("a list of values", () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => `V${index + 1}`);

  test("holds all of 20", () => {
    expect(listed("it has", values(20))).toBe(`; it has ${values(20).join(", ")}`);
  });

  test("holds 20 of more, and says how many more there are", () => {
    expect(listed("it has", values(23))).toBe(`; it has ${values(20).join(", ")} and 3 more`);
  });
});
