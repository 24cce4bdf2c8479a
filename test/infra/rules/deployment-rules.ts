import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deploymentRecordKey } from "../../../infra/bundle/bundle.ts";
import { tablesWithData } from "../../../infra/data-model/record-deployment.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { layouts } from "../../../shared/runtime/data-layouts.ts";
import { tableSchemas } from "../../../shared/store/tables.ts";
import { type Assembly, nameOf, resources } from "../apps/assembly.ts";
import { deployedFunction, only, permissionsOf, tableOf } from "../apps/deployed.ts";
import { at, namesIn } from "../apps/json.ts";

const recovery = readFileSync(join(import.meta.dirname, "../../../docs/operators/recovery.md"), "utf8");
/** By how their names begin: the functions that a restore stops, and those of them that it lets run. */
const stopping = /starts_with\(FunctionName, '([^']+)'\)[^\n]+ \| grep -v \^([\w-]+);/;

/**
 * What holds for the record of what is deployed, by which a release is refused that can't work with the data.
 */
export const deploymentRules = (get: () => Assembly): void => {
  describe("the record of the deployment", () => {
    const record = () => only(resources(get(), "Custom::DeploymentRecord"), "the record of the deployment");

    test("is made in the lowest stack, so that a refused release has replaced no code", () => {
      expect(record().stack).toBe("Data");
    });

    test("names the release and its layout, so that each release is recorded, and does not wait for an hour", () => {
      expect(record().properties).toMatchObject({
        Release: packageJson.version,
        Layout: layouts.current,
        ServiceTimeout: "120",
      });
    });

    test("is made by the only function that a restore does not stop, since the restore deploys meanwhile", () => {
      const [, stopped = "", spared = ""] = stopping.exec(recovery) ?? [];
      const running = resources(get(), "AWS::Lambda::Function").filter(({ stack }) => {
        // CloudFormation begins the name of a function with that of its stack.
        const begins = `${at(get().manifest, "artifacts", stack, "properties", "stackName")}-`;
        return !begins.startsWith(stopped) || begins.startsWith(spared);
      });

      expect(running.map(nameOf)).toEqual([nameOf(deployedFunction(get(), deploymentRecordKey))]);
    });

    test("is made by a function that counts items, and reads and writes the deployment's own alone", () => {
      const lambda = deployedFunction(get(), deploymentRecordKey);
      const arns = new Map(tablesWithData.map((name) => [name, `${nameOf(tableOf(get(), name))}.Arn`]));
      const counting = 'if {"StringEquals":{"dynamodb:Select":"COUNT"}}';
      const own =
        'if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["deployment"]},"Null":{"dynamodb:LeadingKeys":"false"}}';
      const onIdentity = ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"];

      const permissions = permissionsOf(get(), lambda).filter((one) => one.startsWith("dynamodb:"));
      expect(permissions).toEqual(
        [
          ...[...arns.values()].map((arn) => `dynamodb:Scan on ${arn} ${counting}`),
          ...onIdentity.map((action) => `dynamodb:${action} on ${arns.get("identity")} ${own}`),
        ].sort(),
      );
      expect(namesIn(at(lambda.properties, "Environment", "Variables")).sort()).toEqual(
        tablesWithData.map((name) => tableSchemas[name].variable).sort(),
      );
    });
  });
};
