import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Attribute, ownerTypes } from "../../../shared/attributes/attribute.ts";
import {
  attributeNameLookup,
  insertAttribute,
  ownerText,
  removeAttribute,
} from "../../../shared/attributes/attribute-repository.ts";
import { keyOf, mergeWrites, rejectionOf, Stale } from "../../../shared/store/dynamodb/writes.ts";
import { unfiltered } from "../../../shared/store/lists/facets.ts";
import { createdAt, later } from "../samples.ts";

const owner = fc.record({
  account_id: fc.integer({ min: 1, max: 30 }),
  owner_type: fc.constantFrom(...ownerTypes),
  owner_id: fc.integer({ min: 1, max: 30 }),
});

const attribute: Attribute = {
  account_id: 100,
  owner_type: "order",
  owner_id: 1000,
  attribute_id: 205,
  attribute: "color",
  value: "red",
  created_at: createdAt,
  updated_at: later,
};

test("two owners have one text if and only if they are the same", () => {
  fc.assert(
    fc.property(owner, owner, (one, other) => {
      expect(ownerText(one) === ownerText(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});

test("two names of owners never lie in one place", () => {
  fc.assert(
    fc.property(owner, owner, fc.string(), fc.string(), (one, other, name, second) => {
      const [here, there] = [attributeNameLookup(one, name), attributeNameLookup(other, second)];
      const same = JSON.stringify([one, name]) === JSON.stringify([other, second]);

      expect(JSON.stringify(here) === JSON.stringify(there)).toBe(same);
    }),
  );
});

describe("the removal of an attribute", () => {
  const stored = { record: attribute, facetKey: unfiltered, isInSaga: false };

  test("takes away what its creation stored, and its count", () => {
    const created = insertAttribute(attribute, "data.0.attribute");
    const removed = removeAttribute(stored);

    const keys = (writes: typeof created) => writes.map((write) => JSON.stringify(keyOf(write))).sort();
    const counts = mergeWrites([...created, ...removed].filter(({ kind }) => kind === "count"));
    expect(keys(removed)).toEqual(keys(created));
    expect(counts).toMatchObject([{ kind: "count", add: { "n:|": 0 } }]);
    expect(counts).toHaveLength(1);
  });

  test("happens only if the attribute and its name still exist, and the name is its own", () => {
    const removals = removeAttribute(stored).filter((write) => write.kind === "removal");

    expect(removals.map(({ when }) => when)).toEqual([
      [{ attribute: "cell", equals: "|" }],
      [{ attribute: "attribute_id", equals: 205 }],
    ]);
    for (const removal of removals) expect(rejectionOf(removal)).toBeInstanceOf(Stale);
  });
});
