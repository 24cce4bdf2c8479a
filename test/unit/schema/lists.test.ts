import { expect, test } from "vitest";
import { lists } from "../../../shared/schema/lists.ts";
import * as definitions from "../../../shared/store/lists/definitions.ts";

test("every list that is defined can be rebuilt, by its name, but that of jobs, which has no tallies", () => {
  const { jobList, ...tallied } = definitions;
  const defined = Object.values(tallied).flatMap((one) => (typeof one === "object" ? [one] : []));

  expect(defined.length).toBeGreaterThan(5);
  expect(lists.has(jobList.name)).toBe(false);
  expect([...lists.values()].map(({ list }) => list.name).sort()).toEqual(
    defined.map(({ name }) => name).sort(),
  );
  for (const list of defined) expect(lists.get(list.name)?.list).toBe(list);
});
