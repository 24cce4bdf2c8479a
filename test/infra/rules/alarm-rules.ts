import { describe, expect, test } from "vitest";
import { type Assembly, type Found, nameOf, resources, text } from "../apps/assembly.ts";
import { only } from "../apps/deployed.ts";
import { at, type Json, list } from "../apps/json.ts";

const alarms = (assembly: Assembly): readonly Found[] => resources(assembly, "AWS::CloudWatch::Alarm");
const topic = (assembly: Assembly): Found => only(resources(assembly, "AWS::SNS::Topic"), "the topic");

const allowsCloudWatch = (policy: Json | undefined, action: string): boolean =>
  list(at(policy, "Statement")).some(
    (statement) =>
      at(statement, "Effect") === "Allow" &&
      at(statement, "Principal", "Service") === "cloudwatch.amazonaws.com" &&
      list(at(statement, "Action")).includes(action),
  );

/** What holds for every alarm and where they go. */
export const alarmRules = (get: () => Assembly): void => {
  describe("alarms", () => {
    test("all say what a user notices and what to do, in what CloudWatch can hold", () => {
      const texts = alarms(get()).map(({ properties }) => String(at(properties, "AlarmDescription")));

      expect(texts.length).toBeGreaterThan(0);
      for (const one of texts) {
        expect(one).toMatch(/^What a user notices: .{20,} What to do: .{20,}$/);
        expect(one.length).toBeLessThanOrEqual(1024);
        expect(one).not.toContain("$");
      }
    });

    test("all reach the operators, when they begin and when they are over", () => {
      const goal = [nameOf(topic(get()))];
      for (const { stack, properties } of alarms(get())) {
        for (const when of ["AlarmActions", "OKActions"]) {
          expect(list(at(properties, when)).map((one) => text(get(), stack, one))).toEqual(goal);
        }
      }
    });

    test("watch the share of calls that fail, the few failures of rare calls, slow creates, refusals and throttles", () => {
      const watched = alarms(get()).flatMap(({ properties }) => [
        at(properties, "MetricName"),
        ...list(at(properties, "Metrics")).map((one) => at(one, "MetricStat", "Metric", "MetricName")),
      ]);

      const wanted = ["5xx", "Count", "latency", "refused_429", "Throttles", "WriteThrottleEvents"];
      expect(wanted.filter((name) => !watched.includes(name))).toEqual([]);
    });

    test("the slow call that is watched is one that the service has", () => {
      const routes = resources(get(), "AWS::ApiGatewayV2::Route").map(({ properties }) =>
        at(properties, "RouteKey"),
      );
      const watched = alarms(get()).flatMap(({ properties }) =>
        list(at(properties, "Dimensions")).flatMap((one) =>
          at(one, "Name") === "route" ? [at(one, "Value")] : [],
        ),
      );

      expect(watched).toHaveLength(1);
      expect(routes).toContain(watched[0]);
    });

    test("their topic takes what CloudWatch publishes, and has no key that CloudWatch may not use", () => {
      const policy = only(resources(get(), "AWS::SNS::TopicPolicy"), "the topic's policy");

      expect(topic(get()).properties).not.toHaveProperty("KmsMasterKeyId");
      expect(allowsCloudWatch(at(policy.properties, "PolicyDocument"), "sns:Publish")).toBe(true);
    });
  });

  test("there is a dashboard, and it is valid JSON", () => {
    const { stack, properties } = only(resources(get(), "AWS::CloudWatch::Dashboard"), "the dashboard");
    const body = JSON.parse(text(get(), stack, at(properties, "DashboardBody")));

    expect(body.widgets.length).toBeGreaterThan(0);
  });
};
