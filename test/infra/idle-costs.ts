import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Assembly, resources } from "./assembly.ts";
import { at, list } from "./json.ts";

/** Dollars a month in us-east-1, in November 2026, for one of each. */
const prices = { alarmMetric: 0.1, key: 1, secret: 0.4 };

/** A queue that nobody sends to is asked about 15 times a minute by Lambda; a million of such requests cost 40 cents. */
const polledQueue = (15 * 60 * 24 * 30 * 0.4) / 1_000_000;

/** A run each minute: the call, and half a GB for 30 ms. */
const everyMinute = 60 * 24 * 30 * (0.2 / 1_000_000 + 0.5 * 0.03 * 0.0000133334);

const guide = readFileSync(join(import.meta.dirname, "../../docs/operators.md"), "utf8");

/** What the operators' guide says of the price of a deployment that nobody calls. */
export const idleCosts = (get: () => Assembly): void => {
  test("the guide says what a month costs in which nobody calls", () => {
    const metrics = resources(get(), "AWS::CloudWatch::Alarm").reduce(
      (sum, { properties }) =>
        sum + Math.max(1, list(at(properties, "Metrics")).filter((one) => at(one, "MetricStat")).length),
      0,
    );
    const counts = {
      metrics,
      keys: resources(get(), "AWS::KMS::Key").length,
      secrets: resources(get(), "AWS::SecretsManager::Secret").length,
      queues: resources(get(), "AWS::Lambda::EventSourceMapping").filter(({ properties }) =>
        at(properties, "ScalingConfig"),
      ).length,
      schedules: resources(get(), "AWS::Events::Rule").length,
    };
    const dollars =
      counts.metrics * prices.alarmMetric +
      counts.keys * prices.key +
      counts.secrets * prices.secret +
      counts.queues * polledQueue +
      counts.schedules * everyMinute;

    expect(guide).toContain(
      `| ${counts.metrics} metrics with alarms, ${counts.keys} key, ${counts.secrets} secret, ${counts.queues} queues, ` +
        `${counts.schedules} schedules | $${dollars.toFixed(2)} |`,
    );
  });
};
