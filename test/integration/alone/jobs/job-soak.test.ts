import { expect, test } from "vitest";
import { soakedKinds } from "../../../bench/soak/check.ts";
import { soak } from "../../../bench/soak/run.ts";
import { operations } from "../../../support/http/random.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService();

const jobs = { corrections: operations(50, 300), weights: operations(10, 40), reverts: operations(6, 20) };

const { corrections, weights, reverts } = jobs;

test(`${corrections} corrections, ${weights} weights and ${reverts} reverts, some sent twice, lost or failing, end with exact totals`, {
  timeout: 240_000,
}, async () => {
  const report = await soak(service.runtime, service, { ...jobs, bins: operations(26, 60) }, 7);

  expect(report.differences).toEqual([]);
  expect(soakedKinds.map((kind) => report.jobs[kind].length)).toEqual(Object.values(jobs));
  // Faults struck, and what fails by its own rules is few: else exact totals would tell little.
  const applied = Object.values(report.jobs)
    .flat()
    .filter(({ status }) => status === "applied");
  expect(applied.length / Object.values(report.jobs).flat().length).toBeGreaterThan(250 / 360);
  expect(report.resent).toBeGreaterThan(0);
  expect(report.struck["duplicate"]).toBeGreaterThan(0);
  expect(Object.values(report.struck).reduce((sum, hits) => sum + hits, 0)).toBeGreaterThan(5);
});
