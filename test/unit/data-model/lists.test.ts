import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lists } from "../../../infra/data-model/lists.ts";
import { jobList } from "../../../shared/jobs/job-repository.ts";

/** The names of the lists that the features define. */
const defined = globSync("shared/**/*.ts")
  .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/: BlockList = \{[^}]*name: "([^"]+)"/g)])
  .flatMap(([, name]) => name ?? []);

test("every defined list can be rebuilt by its name, except the list of jobs, which has no counters", () => {
  expect(defined.length).toBeGreaterThan(5);
  expect(defined).toContain(jobList.name);
  expect([...lists.keys(), jobList.name].sort()).toEqual(defined.toSorted());
});

test("a list either allocates its ids or follows one that does, whose blocks are leased with whole blocks of its own", () => {
  const all = [...lists.values()].map(({ list }) => list);

  const followed = all.flatMap(({ followers = [], blockSize }) =>
    followers.map((follower) => ({ name: follower.name, rest: blockSize % follower.blockSize })),
  );

  const following = all.filter(({ isFollower }) => isFollower).map(({ name }) => name);
  expect(following).toContain("stock");
  expect(followed).toEqual(following.map((name) => ({ name, rest: 0 })));
});
