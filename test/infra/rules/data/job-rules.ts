import { Duration } from "aws-cdk-lib";
import { Schedule } from "aws-cdk-lib/aws-events";
import { describe, expect, test } from "vitest";
import { functions } from "../../../../functions/index.ts";
import { insertJob } from "../../../../shared/jobs/job-repository.ts";
import { type Assembly, type Found, nameOf, resources, text } from "../../apps/assembly.ts";
import {
  deployedFunction,
  eventSourceOf,
  isFunction,
  only,
  permissionsOf,
  queueOf,
  refusesPlainHttp,
} from "../../apps/deployed.ts";
import { at, list } from "../../apps/json.ts";
import { streams } from "./stream-rules.ts";

const fourteenDays = 14 * 24 * 60 * 60;

const workers = Object.entries(functions).flatMap(([key, contract]) =>
  contract.type === "worker" ? [{ key, job: contract.job }] : [],
);
const schedules = Object.entries(functions).flatMap(([key, contract]) =>
  contract.type === "schedule" && contract.monitors !== true ? [{ key, minutes: contract.everyMinutes }] : [],
);

const deadLettersOf = (assembly: Assembly, queue: Found): Found => {
  const arn = text(assembly, queue.stack, at(queue.properties, "RedrivePolicy", "deadLetterTargetArn"));
  return only(
    resources(assembly, "AWS::SQS::Queue").filter((one) => `${nameOf(one)}.Arn` === arn),
    arn,
  );
};

const alarmsOn = (assembly: Assembly, queue: Found, metric: string): Found[] =>
  resources(assembly, "AWS::CloudWatch::Alarm").filter(
    ({ stack, properties }) =>
      at(properties, "MetricName") === metric &&
      list(at(properties, "Dimensions")).some(
        (dimension) => text(assembly, stack, at(dimension, "Value")) === `${nameOf(queue)}.QueueName`,
      ),
  );

/** What holds for every kind of job. */
export const jobRules = (get: () => Assembly): void => {
  test("there are two queues for every kind of job, one for every stream function, and no other", () => {
    const sources = workers.length + streams.reduce((sum, { tables }) => sum + tables.length, 0);

    expect(resources(get(), "AWS::SQS::Queue")).toHaveLength(2 * workers.length + streams.length);
    expect(resources(get(), "AWS::Lambda::EventSourceMapping")).toHaveLength(sources);
  });

  test("only workers that send to their own queue may be called by what they sent more than 16 times in a row", () => {
    const sending = workers.filter(({ key, job }) => {
      const granted = permissionsOf(get(), deployedFunction(get(), key));
      return granted.includes(`sqs:SendMessage on ${nameOf(queueOf(get(), job))}.Arn`);
    });
    const called = resources(get(), "AWS::Lambda::Function").filter(
      ({ properties }) => at(properties, "RecursiveLoop") === "Allow",
    );

    expect(sending.length).toBeGreaterThan(0);
    expect(called.map(nameOf).sort()).toEqual(
      sending.map(({ key }) => nameOf(deployedFunction(get(), key))).sort(),
    );
  });

  describe.each(workers)("jobs of kind $job", ({ key, job }) => {
    test("reach their worker by ten, and those that fail come back alone", () => {
      expect(eventSourceOf(get(), job).properties).toMatchObject({
        BatchSize: 10,
        FunctionResponseTypes: ["ReportBatchItemFailures"],
      });
    });

    test("stay hidden for three times the time their worker may run, which is less than two minutes", () => {
      const timeout = Number(at(deployedFunction(get(), key).properties, "Timeout"));

      expect(at(queueOf(get(), job).properties, "VisibilityTimeout")).toBe(3 * timeout);
      expect(3 * timeout).toBeLessThan(120);
    });

    test("are sent again within 110 s if their message was lost, which leaves ten to apply them", () => {
      const accepted = "2026-01-01T00:00:00.000Z";
      const { item } = insertJob(job, { job_id: 1, by: "user:manager", payload: {} }, accepted);
      const waits = (Date.parse(String(item["check_at"])) - Date.parse(accepted)) / 1000;
      const sweeper = schedules.find(({ key: name }) => name === "jobs/sweep-jobs");

      expect(waits + (sweeper?.minutes ?? 0) * 60).toBeLessThanOrEqual(110);
      expect(waits).toBeGreaterThanOrEqual(30);
    });

    test("are set aside for fourteen days after five attempts", () => {
      const queue = queueOf(get(), job);

      expect(at(queue.properties, "RedrivePolicy", "maxReceiveCount")).toBe(5);
      expect(at(deadLettersOf(get(), queue).properties, "MessageRetentionPeriod")).toBe(fourteenDays);
    });

    test("are encrypted at rest and under way", () => {
      const queue = queueOf(get(), job);
      for (const one of [queue, deadLettersOf(get(), queue)]) {
        expect(at(one.properties, "SqsManagedSseEnabled")).toBe(true);
        expect(refusesPlainHttp(get(), one)).toBe(true);
      }
    });

    test("raise an alarm when one is set aside and when they wait too long", () => {
      const queue = queueOf(get(), job);
      const failed = alarmsOn(get(), deadLettersOf(get(), queue), "ApproximateNumberOfMessagesVisible");
      const late = alarmsOn(get(), queue, "ApproximateAgeOfOldestMessage");

      expect(only(failed, "alarms on failed jobs").properties).toMatchObject({
        Threshold: 1,
        EvaluationPeriods: 1,
      });
      expect(late).toHaveLength(1);
    });
  });

  test("exactly the schedules of the list run", () => {
    expect(resources(get(), "AWS::Events::Rule")).toHaveLength(schedules.length);
  });

  test.each(schedules)("a run of $key that fails or can't begin within a minute is dropped", ({ key }) => {
    const lambda = deployedFunction(get(), key);
    const config = only(
      resources(get(), "AWS::Lambda::EventInvokeConfig").filter((one) =>
        isFunction(get(), lambda, one, "FunctionName"),
      ),
      `how ${key} is called`,
    );
    const targets = resources(get(), "AWS::Events::Rule")
      .flatMap(({ stack, properties }) =>
        list(at(properties, "Targets")).map((target) => ({ stack, target })),
      )
      .filter(({ stack, target }) => text(get(), stack, at(target, "Arn")) === `${nameOf(lambda)}.Arn`);

    expect(config.properties).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
    expect(targets.map(({ target }) => at(target, "RetryPolicy"))).toEqual([
      { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
    ]);
  });

  test.each(schedules)(
    "$key runs every $minutes minutes, and an alarm is raised if no run succeeds",
    ({ key, minutes }) => {
      const lambda = deployedFunction(get(), key);
      const rule = only(
        resources(get(), "AWS::Events::Rule").filter(({ stack, properties }) =>
          list(at(properties, "Targets")).some(
            (target) => text(get(), stack, at(target, "Arn")) === `${nameOf(lambda)}.Arn`,
          ),
        ),
        `rules for ${key}`,
      );
      const permission = only(
        resources(get(), "AWS::Lambda::Permission").filter((one) =>
          isFunction(get(), lambda, one, "FunctionName"),
        ),
        `permissions to call ${key}`,
      );
      const alarm = resources(get(), "AWS::CloudWatch::Alarm").find(({ stack, properties }) =>
        list(at(properties, "Dimensions")).some(
          (one) => text(get(), stack, at(one, "Value")) === nameOf(lambda),
        ),
      );

      const { expressionString } = Schedule.rate(Duration.minutes(minutes));
      expect(at(rule.properties, "ScheduleExpression")).toBe(expressionString);
      expect(text(get(), permission.stack, at(permission.properties, "SourceArn"))).toBe(
        `${nameOf(rule)}.Arn`,
      );
      expect(alarm?.properties).toMatchObject({
        MetricName: "Errors",
        Statistic: "Average",
        Threshold: 1,
        TreatMissingData: "breaching",
      });
    },
  );
};
