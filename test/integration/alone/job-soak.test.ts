import { afterAll, beforeAll, expect, test } from "vitest";
import { soakedKinds } from "../../bench/soak/check.ts";
import { soak } from "../../bench/soak/run.ts";
import { type OwnService, startService } from "../../support/own-service.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService({ visibilityTimeoutSeconds: 3 });
});
afterAll(() => service.runtime.stop());

test("300 corrections, 40 weights and 20 reverts, some sent twice, some lost, some failing, end with exact totals", {
  timeout: 240_000,
}, async () => {
  const size = { corrections: 300, weights: 40, reverts: 20, bins: 60 };
  const report = await soak(service.runtime, service, size, 7);

  expect(report.differences).toEqual([]);
  expect(soakedKinds.map((kind) => report.jobs[kind].length)).toEqual([300, 40, 20]);
  // Faults struck, and what fails by its own rules is few: else exact totals would tell little.
  const applied = Object.values(report.jobs)
    .flat()
    .filter(({ status }) => status === "applied");
  expect(applied.length).toBeGreaterThan(250);
  expect(report.resent).toBeGreaterThan(0);
  expect(report.struck["duplicate"]).toBeGreaterThan(0);
  expect(Object.values(report.struck).reduce((sum, hits) => sum + hits, 0)).toBeGreaterThan(5);
});
