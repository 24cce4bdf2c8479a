import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Assembly, type Found, nameOf, resources, text } from "../apps/assembly.ts";
import { only } from "../apps/deployed.ts";
import { at, type Json, list } from "../apps/json.ts";

const alarms = (assembly: Assembly): readonly Found[] => resources(assembly, "AWS::CloudWatch::Alarm");
const topicsOf = (assembly: Assembly): readonly Found[] => resources(assembly, "AWS::SNS::Topic");

/** The topic that an alarm goes to, by its name. */
const topicOf = (assembly: Assembly, { stack, properties }: Found, when = "AlarmActions"): string =>
  list(at(properties, when))
    .map((one) => text(assembly, stack, one))
    .join()
    .replace(/^arn:.*:/, "");

const globalIndexesOf = (assembly: Assembly): number =>
  resources(assembly, "AWS::DynamoDB::GlobalTable").flatMap(({ properties }) =>
    list(at(properties, "GlobalSecondaryIndexes")),
  ).length;

const incidents = readFileSync(join(import.meta.dirname, "../../../docs/operators/incidents.md"), "utf8");

const field = String.raw`@?\w+(?:\.\w+)*`;
/** The commands of Logs Insights, as far as the queries use them. */
const insights = [
  `filter ${field} (?:=|like) "[^"]+"`,
  `filter ${field} in \\[(?:"[^"]+"(?:, )?)+\\]`,
  `fields ${field}(?:, ${field})*`,
  `stats (?:(?:count\\(\\*\\)|pct\\(${field}, \\d+\\))(?: as \\w+)?(?:, )?)+ by ${field}(?:, (?:${field}|bin\\(5m\\)))*`,
  `sort ${field}(?: desc)?`,
  "limit \\d+",
].map((form) => new RegExp(`^${form}$`));

/** Whether a policy allows CloudWatch an action, for alarms of its own account alone. */
const allowsCloudWatch = (policy: Json | undefined, action: string): boolean =>
  list(at(policy, "Statement")).some(
    (statement) =>
      at(statement, "Effect") === "Allow" &&
      at(statement, "Condition", "StringEquals", "aws:SourceAccount") !== undefined &&
      list(at(statement, "Principal", "Service")).includes("cloudwatch.amazonaws.com") &&
      list(at(statement, "Action")).includes(action),
  );

/** What holds for every alarm, whatever settings bring it. */
export const noticeRules = (get: () => Assembly): void => {
  describe("alarms", () => {
    test("all say what a user notices and what to do, in what CloudWatch can hold", () => {
      const texts = alarms(get()).map(({ properties }) => String(at(properties, "AlarmDescription")));

      expect(texts.length).toBeGreaterThan(0);
      for (const one of texts) {
        expect(one).toMatch(
          /^What a user notices: .{20,} What to do: .{20,} Runbook: docs.operators.incidents\.md, .+\.$/,
        );
        expect(one.length).toBeLessThanOrEqual(1024);
        expect(one).not.toContain("$");
      }
    });

    test("all name a section of the guide, with the name of the alarm and a query or command to run", () => {
      const sections = new Map(incidents.split("\n## ").map((one) => [one.split("\n")[0], one]));
      for (const { properties } of alarms(get())) {
        const [, runbook] = /incidents\.md, (.+)\.$/.exec(String(at(properties, "AlarmDescription"))) ?? [];
        const name = String(at(properties, "AlarmName")).split("-").at(-1) ?? "";

        expect(sections.get(runbook), runbook).toContain(`\`${name}\``);
        expect(sections.get(runbook), runbook).toMatch(/^ {4}(filter|SELECT|aws|npm run operator --) /m);
      }
    });

    test("all reach the operators by the topic of their severity, when they begin and when they are over", () => {
      const goals = alarms(get()).map((alarm) => {
        expect(topicOf(get(), alarm)).toBe(topicOf(get(), alarm, "OKActions"));
        return topicOf(get(), alarm);
      });
      const names = topicsOf(get()).map((one) => String(at(one.properties, "TopicName") ?? nameOf(one)));

      expect(names).toHaveLength(2);
      expect(new Set(goals)).toEqual(new Set(names));
    });
  });
};

/** What holds for the alarms of a deployment without settings, and where they go. */
export const alarmRules = (get: () => Assembly): void => {
  noticeRules(get);
  describe("alarms", () => {
    test("watch the share of calls that fail, the few failures of rare calls, slow creates, refusals and throttles", () => {
      const watched = alarms(get()).flatMap(({ properties }) => [
        at(properties, "MetricName"),
        ...list(at(properties, "Metrics")).map((one) => at(one, "MetricStat", "Metric", "MetricName")),
      ]);

      const wanted = [
        "5xx",
        "Count",
        "latency",
        "refused_429",
        "Throttles",
        "WriteThrottleEvents",
        "ReadThrottleEvents",
        "ConcurrentExecutions",
        "refused_401",
      ];
      expect(wanted.filter((name) => !watched.includes(name))).toEqual([]);
    });

    test.each(["ReadThrottleEvents", "WriteThrottleEvents"])(
      "add up the %s of all tables, and of their global indexes, which a table's own do not count",
      (metric) => {
        const added = alarms(get())
          .flatMap(({ properties }) => list(at(properties, "Metrics")))
          .filter((one) => at(one, "MetricStat", "Metric", "MetricName") === metric)
          .map((one) =>
            list(at(one, "MetricStat", "Metric", "Dimensions"))
              .map((by) => at(by, "Name"))
              .sort(),
          );

        const tables = resources(get(), "AWS::DynamoDB::GlobalTable");
        expect(added.filter((by) => by.join() === "TableName")).toHaveLength(tables.length);
        expect(added.filter((by) => by.join() === "GlobalSecondaryIndexName,TableName")).toHaveLength(
          globalIndexesOf(get()),
        );
      },
    );

    test.each([
      ["Messages are dead-lettered", expect.stringMatching(/later/i)],
      ["A queue is late", expect.not.stringMatching(/later/i)],
      ["Changes are lost", expect.not.stringMatching(/later/i)],
    ])("of the section %s go to the topic of what can wait, or to the other", (section, topic) => {
      const topics = alarms(get())
        .filter(({ properties }) => String(at(properties, "AlarmDescription")).endsWith(`, ${section}.`))
        .map((alarm) => topicOf(get(), alarm));

      expect(new Set(topics)).toEqual(new Set([topic]));
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
      const policies = resources(get(), "AWS::SNS::TopicPolicy");

      expect(policies).toHaveLength(topicsOf(get()).length);
      for (const { properties } of topicsOf(get())) expect(properties).not.toHaveProperty("KmsMasterKeyId");
      for (const { properties } of policies)
        expect(allowsCloudWatch(at(properties, "PolicyDocument"), "sns:Publish")).toBe(true);
    });
  });

  test("there is a dashboard, and it is valid JSON", () => {
    const { stack, properties } = only(resources(get(), "AWS::CloudWatch::Dashboard"), "the dashboard");
    const body = JSON.parse(text(get(), stack, at(properties, "DashboardBody")));

    expect(body.widgets.length).toBeGreaterThan(0);
    expect(body.widgets.flatMap(({ properties: { alarms: shown = [] } }) => shown)).toHaveLength(
      alarms(get()).length,
    );
  });

  test("the dashboard says what to do, and shows orders, backlog, webhooks and the throttles of each table", () => {
    const { stack, properties } = only(resources(get(), "AWS::CloudWatch::Dashboard"), "the dashboard");
    const { widgets } = JSON.parse(text(get(), stack, at(properties, "DashboardBody")));
    const [first, ...others] = widgets;
    const metricsOf = (title: RegExp): unknown[] | undefined =>
      others.find((one: { properties: { title?: string } }) => title.test(one.properties.title ?? ""))
        ?.properties.metrics;

    expect(first.properties.markdown).toContain("docs/operators/incidents.md");
    for (const title of [/orders, per minute/, /^Backlog/, /^Webhooks/])
      expect(metricsOf(title)?.length).toBeGreaterThan(0);
    const tables = resources(get(), "AWS::DynamoDB::GlobalTable");
    for (const title of [/throttled reads/, /throttled writes/])
      expect(metricsOf(title)).toHaveLength(tables.length + globalIndexesOf(get()));
  });

  test("every query that is saved is one of the guide, by its name", () => {
    const saved = resources(get(), "AWS::Logs::QueryDefinition").map(({ properties }) => properties);

    expect(saved.length).toBeGreaterThan(5);
    for (const query of saved) {
      const name = String(at(query, "Name")).replace(/^.*\//, "");
      expect(incidents).toMatch(new RegExp(`\`${name}\``));
      expect(incidents).toContain(`    ${at(query, "QueryString")}\n`);
    }
  });

  test("every log group that the guide names is there, or is that of the monitor, which is off", () => {
    const groups = resources(get(), "AWS::Logs::LogGroup").map(({ properties }) =>
      String(at(properties, "LogGroupName")),
    );
    const named = [...incidents.matchAll(/`(\/aws\/lambda\/[^`]*)`/g)].map(([, name = ""]) => name);

    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !groups.some((group) => group.startsWith(name)))).toEqual([
      "/aws/lambda/oiw-jobs/monitor/call-service",
    ]);
  });

  test("every query is one that Logs Insights documents, and sorts by what it shows", () => {
    for (const { properties } of resources(get(), "AWS::Logs::QueryDefinition")) {
      const query = String(at(properties, "QueryString"));
      const commands = query.split(" | ");
      const shown = commands.flatMap((one) => [
        ...(/^fields (.+)$/.exec(one)?.[1]?.split(", ") ?? []),
        ...[...one.matchAll(/ as (\w+)/g)].map(([, alias = ""]) => alias),
      ]);
      const sorted = commands.flatMap((one) => /^sort (.+?)(?: desc)?$/.exec(one)?.[1] ?? []);

      expect(commands.filter((one) => !insights.some((form) => form.test(one)))).toEqual([]);
      expect(sorted.filter((name) => !shown.includes(name))).toEqual([]);
    }
  });
};
