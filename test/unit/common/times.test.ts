import { describe, expect, test } from "vitest";
import { patchAlias as patchedAlias } from "../../../shared/catalog/aliases/alias.ts";
import { patchProduct as patchedProduct } from "../../../shared/catalog/products/product.ts";
import {
  newSynset as createdSynset,
  patchSynset as patchedSynset,
} from "../../../shared/catalog/synsets/synset.ts";
import { dayOf, isTwoYearsBefore, laterOf, weekOf } from "../../../shared/common/times.ts";
import { withLines } from "../../../shared/inbound/inbound.ts";
import {
  newManufactureOrder,
  updateManufactureOrder,
} from "../../../shared/registries/manufacture/manufacture-order.ts";
import { createdAt, later, replenishmentOf, sampleAlias, sampleProduct } from "../samples.ts";

describe("the day", () => {
  test.each([
    ["1970-01-01", 0],
    ["1970-01-02", 1],
    ["1970-01-01T23:59:59.999Z", 0],
    ["1970-01-02T00:00:00.000Z", 1],
    ["1969-12-31T23:59:59.999Z", -1],
    ["2024-02-29", 19_782],
    ["2026-01-31T08:00:00.000Z", 20_484],
  ])("of %s is number %i", (timestamp, day) => {
    expect(dayOf(timestamp)).toBe(day);
  });

  test("is counted in UTC, not in the zone of the timestamp", () => {
    expect(dayOf("2026-02-01T00:30:00+02:00")).toBe(dayOf("2026-01-31"));
  });
});

describe("the week", () => {
  test.each([
    ["1970-01-01", 0],
    ["1970-01-07", 0],
    ["1970-01-08", 1],
    ["1969-12-31", -1],
    ["2026-01-28", 2925],
    ["2026-01-29", 2926],
    ["2026-02-04", 2926],
    ["2026-02-05", 2927],
  ])("of %s, a Thursday to a Wednesday, is number %i", (date, week) => {
    expect(weekOf(dayOf(date))).toBe(week);
  });
});

test.each([
  [createdAt, later],
  [later, createdAt],
  [later, later],
])("of %s and %s, the later time is chosen", (left, right) => {
  expect(laterOf(left, right)).toBe(later);
});

describe("a change by a clock that is behind", () => {
  const synset = createdSynset({ synset: "KIT", items: [] }, { account_id: 100, synset_id: 1, at: later });
  const made = {
    manufacture_number: "M-1",
    status: "Pending",
    sku: "TEE",
    product_id: 1,
    quantity: 1,
    distribution_center: "MAIN",
    due_date: null,
  } as const;
  const order = newManufactureOrder(made, { account_id: 100, manufacture_id: 1, at: later });
  const aliased = sampleAlias({ updated_at: later });

  test.each([
    ["an alias", patchedAlias(aliased, aliased, createdAt)],
    ["a product", patchedProduct(sampleProduct({ updated_at: later }), { sku: "TEE" }, createdAt)],
    ["a synset", patchedSynset(synset, undefined, createdAt)],
    ["announced goods", withLines(replenishmentOf({ updated_at: later }), [], createdAt)],
    ["a manufacture order", updateManufactureOrder(order, made, createdAt)],
  ])("of %s is dated as the change before it", (_record, after) => {
    expect(after.updated_at).toBe(later);
  });
});

describe("two years before a day", () => {
  test.each([
    ["2024-06-15", "2026-06-15", true],
    ["2024-06-16", "2026-06-15", false],
    ["2022-02-28", "2024-02-29", true],
    ["2022-03-01", "2024-02-29", false],
    ["1999-12-31", "2026-06-15", true],
  ])("lies %s, seen from %s: %s", (date, today, lies) => {
    expect(isTwoYearsBefore(date, today)).toBe(lies);
  });
});
