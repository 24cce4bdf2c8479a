import { expect, test } from "vitest";
import { lists } from "../../../shared/schema/lists.ts";
import * as definitions from "../../../shared/store/lists/definitions.ts";

test("every defined list can be rebuilt by its name, except the list of jobs, which has no counters", () => {
  const { jobList, ...counted } = definitions;
  const defined = Object.values(counted).flatMap((one) => (typeof one === "object" ? [one] : []));

  expect(defined.length).toBeGreaterThan(5);
  expect(lists.has(jobList.name)).toBe(false);
  expect([...lists.values()].map(({ list }) => list.name).sort()).toEqual(
    defined.map(({ name }) => name).sort(),
  );
  for (const list of defined) expect(lists.get(list.name)?.list).toBe(list);
});
