import { CustomResource, Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import packageJson from "../../package.json" with { type: "json" };
import { layouts } from "../../shared/runtime/data-layouts.ts";
import { acceptedBy, deploymentPartition } from "../../shared/store/layouts/deployment.ts";
import { type TableName, tableSchemas } from "../../shared/store/tables.ts";
import { deploymentRecordKey } from "../bundle/bundle.ts";
import { laterIndexes } from "../data-model/later-indexes.ts";
import { tablesWithData } from "../data-model/record-deployment.ts";
import { grantPermit } from "./grants.ts";
import { bundledFunction } from "./service-function.ts";
import type { StoredTable } from "./service-table.ts";

/** Matches requests that only count items. */
const countingAlone = { StringEquals: { "dynamodb:Select": "COUNT" } };

/**
 * Records in the tables which release is deployed, and makes the deployment of a release fail if the release
 * can't work with the tables' data. It belongs to the lowest stack, so that nothing is replaced in that case.
 */
export class DeploymentRecord extends Construct {
  constructor(scope: Construct, id: string, tables: ReadonlyMap<TableName, StoredTable>, bundles: string) {
    super(scope, id);
    const { lambda, role, logGroup } = bundledFunction(this, deploymentRecordKey, bundles, {
      description: "Records which release is deployed, and rejects a release that can't work with the data",
      timeout: Duration.seconds(60),
    });
    for (const name of tablesWithData) {
      const table = tables.get(name);
      if (table === undefined) throw new Error(`There is no table "${name}".`);
      lambda.addEnvironment(tableSchemas[name].variable, table.tableName);
      role.addToPolicy(
        new PolicyStatement({
          actions: ["dynamodb:Scan"],
          resources: [table.tableArn],
          conditions: countingAlone,
        }),
      );
      const kinds = new Map([[deploymentPartition, ["read", "insert", "change"] as const]]);
      if (name === "identity") grantPermit(lambda, table, { table: name, index: undefined, kinds });
    }
    const { current, oldest, newest } = acceptedBy(layouts);
    const record = new CustomResource(this, "Record", {
      resourceType: "Custom::DeploymentRecord",
      serviceToken: lambda.functionArn,
      serviceTimeout: Duration.minutes(2),
      properties: {
        Release: packageJson.version,
        Layout: current,
        OldestLayout: oldest,
        ...(newest > current && { NewestLayout: newest }),
        Indexes: laterIndexes.map(({ name }) => name),
        Table: tables.get("identity")?.tableName,
      },
    });
    record.node.addDependency(role, logGroup);
  }
}
