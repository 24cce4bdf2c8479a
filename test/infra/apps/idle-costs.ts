import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Assembly, resources } from "./assembly.ts";
import { at, list } from "./json.ts";

/** Dollars a month in us-east-1, in November 2026, for one of each. */
const prices = { alarmMetric: 0.1, dashboard: 3, secret: 0.4, webAcl: 5, webAclRule: 1 };

/**
 * A queue that nobody sends to is asked about 15 times a minute by Lambda; a million of such requests cost 40
 * cents.
 */
const polledQueue = (15 * 60 * 24 * 30 * 0.4) / 1_000_000;

/** A run each minute: the call, and half a GB for 30 ms. */
const everyMinute = 60 * 24 * 30 * (0.2 / 1_000_000 + 0.5 * 0.03 * 0.0000133334);

/** What a million calls cost by CloudFront and AWS WAF. */
const ofMillionCalls = { requests: 1, functionRuns: 0.1, firewall: 0.6 };

const page = "docs/operators/costs.md";
const guide = readFileSync(join(import.meta.dirname, "../../..", page), "utf8");

/** The row of the page whose first cell contains these words. */
const rowOf = (words: string): string =>
  guide.split("\n").find((line) => line.startsWith("|") && line.includes(words)) ?? `no row of ${page}`;

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
      dashboards: resources(get(), "AWS::CloudWatch::Dashboard").length,
      secrets: resources(get(), "AWS::SecretsManager::Secret").length,
      queues: resources(get(), "AWS::Lambda::EventSourceMapping").filter(({ properties }) =>
        at(properties, "ScalingConfig"),
      ).length,
      schedules: resources(get(), "AWS::Events::Rule").length,
    };
    const dollars =
      counts.metrics * prices.alarmMetric +
      counts.dashboards * prices.dashboard +
      counts.secrets * prices.secret +
      counts.queues * polledQueue +
      counts.schedules * everyMinute;

    expect(resources(get(), "AWS::KMS::Key")).toEqual([]);
    expect(rowOf("metrics with alarms"), page).toBe(
      `| ${counts.metrics} metrics with alarms, ${counts.dashboards} dashboard, ${counts.secrets} secret, ` +
        `${counts.queues} queues, ${counts.schedules} schedules | $${dollars.toFixed(2)} |`,
    );
  });
};

/** What the guide says of the price of CloudFront and its firewall. A distribution itself costs nothing. */
export const edgeCosts = (get: () => Assembly): void => {
  test("the guide says what CloudFront and its firewall cost a month, and a million calls by them", () => {
    const acls = resources(get(), "AWS::WAFv2::WebACL");
    const rules = acls.flatMap(({ properties }) => list(at(properties, "Rules"))).length;
    const dollars = acls.length * prices.webAcl + rules * prices.webAclRule + prices.secret;
    const { requests, functionRuns, firewall } = ofMillionCalls;

    expect(rowOf("CloudFront with"), page).toBe(
      `| CloudFront with ${acls.length} web ACL of ${rules} rules, and 1 more secret | $${dollars.toFixed(2)} |`,
    );
    expect(guide).toContain(
      `takes $${(requests + functionRuns + firewall).toFixed(2)} more for a million calls`,
    );
  });
};
