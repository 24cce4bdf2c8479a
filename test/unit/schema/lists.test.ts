import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { jobList } from "../../../shared/jobs/job-repository.ts";
import { lists } from "../../../shared/schema/lists.ts";

/** The names of the lists that the features define. */
const defined = globSync("shared/**/*.ts")
  .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/: BlockList = \{[^}]*name: "([^"]+)"/g)])
  .flatMap(([, name]) => name ?? []);

test("every defined list can be rebuilt by its name, except the list of jobs, which has no counters", () => {
  expect(defined.length).toBeGreaterThan(5);
  expect(defined).toContain(jobList.name);
  expect([...lists.keys(), jobList.name].sort()).toEqual(defined.toSorted());
});
