import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { functions } from "../../../functions/index.ts";
import { accessOf } from "../../../infra/access.ts";
import { bundleFolder, deploymentRecordKey } from "../../../infra/bundle/bundle.ts";
import type { FunctionContract } from "../../../shared/runtime/contract.ts";
import {
  deploymentVariable,
  networksVariable,
  queueVariable,
  secretVariable,
} from "../../../shared/runtime/shared-names.ts";
import { tablesIn } from "../../../shared/store/permits.ts";
import { tableNames, tableSchemas } from "../../../shared/store/tables.ts";
import { type Assembly, nameOf, resources } from "../apps/assembly.ts";
import {
  deployedFunction,
  deployedFunctions,
  logGroupOf,
  only,
  permissionsOf,
  queueOf,
  tableOf,
} from "../apps/deployed.ts";
import { at, list, namesIn } from "../apps/json.ts";
import { onTables } from "../apps/table-permissions.ts";
import { givenUpOf, tablesOf } from "./data/stream-rules.ts";

/** The functions of a deployment without settings, which has no monitor. */
const entries = Object.entries(functions).filter(
  ([, contract]) => contract.type !== "schedule" || contract.monitors !== true,
);

/** Seconds: endpoints end before API Gateway gives up on them, a scheduled run before the next one begins. */
const longest = {
  endpoint: 29,
  page: 29,
  "health-check": 5,
  fallback: 29,
  worker: 30,
  schedule: 59,
  stream: 50,
  diagnostic: 30,
} as const;

const always = (logs: string): string[] => [
  `logs:CreateLogStream on ${logs}.Arn`,
  `logs:PutLogEvents on ${logs}.Arn`,
];

const consuming = [
  "ReceiveMessage",
  "ChangeMessageVisibility",
  "GetQueueUrl",
  "DeleteMessage",
  "GetQueueAttributes",
];

const listening = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];
/** What the CDK grants whoever sends to a dead-letter queue. */
const sending = ["SendMessage", "GetQueueAttributes", "GetQueueUrl"];

const onStreams = (assembly: Assembly, key: string, contract: FunctionContract): string[] => {
  if (contract.type !== "stream") return [];
  const streams = tablesOf(contract).flatMap((name) => {
    const stream = `${nameOf(tableOf(assembly, name))}.StreamArn`;
    return listening.map((action) => `dynamodb:${action} on ${stream}`);
  });
  const givenUp = `${nameOf(givenUpOf(assembly, key))}.Arn`;
  return [...streams, ...sending.map((action) => `sqs:${action} on ${givenUp}`)];
};

/** The kinds of jobs that a function sends. */
const sentBy = ({ sends }: FunctionContract): readonly string[] =>
  sends === "every"
    ? entries.flatMap(([, contract]) =>
        contract.type === "worker" && contract.messages === undefined ? [contract.job] : [],
      )
    : sends;

const onQueues = (assembly: Assembly, contract: FunctionContract): string[] => {
  const sent = sentBy(contract).map((kind) => `sqs:SendMessage on ${nameOf(queueOf(assembly, kind))}.Arn`);
  if (contract.type !== "worker") return sent;
  const own = `${nameOf(queueOf(assembly, contract.job))}.Arn`;
  return [...sent, ...consuming.map((action) => `sqs:${action} on ${own}`)];
};

const onSecret = (assembly: Assembly, { secret }: FunctionContract): string[] => {
  if (secret !== true) return [];
  const signing = only(resources(assembly, "AWS::SecretsManager::Secret"), "the signing secret");
  return [`secretsmanager:GetSecretValue on ${nameOf(signing)}`];
};

/** What holds for every function of the list. */
export const functionRules = (get: () => Assembly): void => {
  describe("functions", () => {
    test("exactly the functions of the list are deployed, and the one that records deployments", () => {
      const expected = [...entries.map(([key]) => key), deploymentRecordKey];

      expect([...deployedFunctions(get()).keys()].sort()).toEqual(expected.sort());
      expect(resources(get(), "AWS::Lambda::Function")).toHaveLength(expected.length);
    });

    test("no two functions share a role, and roles have no policies from elsewhere", () => {
      const lambdas = resources(get(), "AWS::Lambda::Function");
      const roles = resources(get(), "AWS::IAM::Role").filter(({ id }) => !id.startsWith("Releases"));

      expect(new Set(lambdas.map(({ properties }) => JSON.stringify(at(properties, "Role")))).size).toBe(
        lambdas.length,
      );
      expect(roles).toHaveLength(lambdas.length);
      for (const { properties } of roles) {
        expect(namesIn(properties).filter((name) => name !== "Tags")).toEqual(["AssumeRolePolicyDocument"]);
        expect(list(at(properties, "AssumeRolePolicyDocument", "Statement"))).toEqual([
          { Action: "sts:AssumeRole", Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" } },
        ]);
      }
    });
  });

  describe.each(entries)("the function %s", (key, contract) => {
    test("runs its own bundle on Node 24 and arm64, traced, and ends in time", () => {
      const { properties } = deployedFunction(get(), key);

      expect(properties).toMatchObject({
        Architectures: ["arm64"],
        Runtime: "nodejs24.x",
        Handler: "index.handler",
        MemorySize: 512,
      });
      expect(Number(at(properties, "Timeout"))).toBeLessThanOrEqual(longest[contract.type]);
      const asset = `asset.${String(at(properties, "Code", "S3Key")).replace(".zip", "")}`;
      const deployed = readFileSync(join(get().directory, asset, "index.mjs"));
      // Compared as a whole: the difference of two minified bundles tells nobody anything.
      expect(deployed.equals(readFileSync(join(bundleFolder(key), "index.mjs")))).toBe(true);
    });

    test("logs JSON into a group of its own that forgets after a month, and Lambda logs only failures", () => {
      const lambda = deployedFunction(get(), key);

      expect(at(lambda.properties, "LoggingConfig")).toMatchObject({
        LogFormat: "JSON",
        SystemLogLevel: "WARN",
      });
      expect(at(logGroupOf(get(), lambda).properties, "RetentionInDays")).toBe(30);
    });

    test("finds in its environment its tables, its queues, the secret it reads and the networks it serves, and nothing else", () => {
      const { properties } = deployedFunction(get(), key);
      const changing = contract.type === "stream" ? tablesOf(contract) : [];
      const reached = tablesIn(accessOf(contract));
      const tables = tableNames.filter((name) => reached.includes(name) || changing.includes(name));

      const expected = [
        deploymentVariable,
        ...tables.map((name) => tableSchemas[name].variable),
        ...sentBy(contract).map(queueVariable),
        ...(contract.secret === true ? [secretVariable] : []),
        ...(contract.type === "page" && contract.networks ? [networksVariable] : []),
      ];
      expect(namesIn(at(properties, "Environment", "Variables")).sort()).toEqual(expected.sort());
    });

    test("may do exactly what its access, sends, secret and changes state", () => {
      const lambda = deployedFunction(get(), key);

      const expected = [
        ...always(nameOf(logGroupOf(get(), lambda))),
        ...onTables(get(), accessOf(contract)),
        ...onQueues(get(), contract),
        ...onSecret(get(), contract),
        ...onStreams(get(), key, contract),
      ];
      expect(permissionsOf(get(), lambda)).toEqual(expected.sort());
    });
  });
};
