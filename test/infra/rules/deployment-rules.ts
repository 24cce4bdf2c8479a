import { describe, expect, test } from "vitest";
import { deploymentRecordKey } from "../../../infra/bundle/bundle.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { tablesWithData } from "../../../shared/data-model/record-deployment.ts";
import { layouts } from "../../../shared/runtime/data-layouts.ts";
import { tableSchemas } from "../../../shared/store/tables.ts";
import { type Assembly, nameOf, resources } from "../apps/assembly.ts";
import { deployedFunction, only, permissionsOf, tableOf } from "../apps/deployed.ts";
import { at, namesIn } from "../apps/json.ts";

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
