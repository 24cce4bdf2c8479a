import { describe, expect, test } from "vitest";
import { type IndexSchema, tableNames, tableSchemas } from "../../../../shared/store/tables.ts";
import { type Assembly, resources } from "../../apps/assembly.ts";
import { tableOf } from "../../apps/deployed.ts";
import { at, list } from "../../apps/json.ts";

const keys = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: "HASH" },
  { AttributeName: sort, KeyType: "RANGE" },
];

const indexesOf = (name: (typeof tableNames)[number], scope: IndexSchema["scope"]) =>
  Object.entries(tableSchemas[name].indexes)
    .filter(([, index]) => index.scope === scope)
    .map(([IndexName, { partitionKey, sortKey, include }]) => ({
      IndexName,
      KeySchema: keys(partitionKey, sortKey),
      Projection:
        include.length === 0
          ? { ProjectionType: "KEYS_ONLY" }
          : { ProjectionType: "INCLUDE", NonKeyAttributes: include },
    }));

/** Whether a resource records the deployment in a table, which must be there first. */
const needsTables = (id: string): boolean => id.startsWith("DeploymentRecord");

/** What holds for every table. */
export const tableRules = (get: () => Assembly): void => {
  test("exactly the tables of the schemas are created", () => {
    expect(resources(get(), "AWS::DynamoDB::GlobalTable")).toHaveLength(tableNames.length);
  });

  describe.each(tableNames.map((name) => ({ name })))("the table $name", ({ name }) => {
    test("outlives mistakes: restorable, protected, kept when its stack goes", () => {
      const { properties, resource } = tableOf(get(), name);

      expect(at(properties, "Replicas")).toMatchObject([
        {
          Region: { Ref: "AWS::Region" },
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          DeletionProtectionEnabled: true,
        },
      ]);
      expect(resource).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
    });

    test("is created after all that does not need a table, so that a failure leaves no protected table behind", () => {
      const table = tableOf(get(), name);
      const others = Object.entries(get().templates.get(table.stack)?.Resources ?? {}).flatMap(
        ([id, { Type }]) => (Type === "AWS::DynamoDB::GlobalTable" || needsTables(id) ? [] : [id]),
      );

      expect(others.length).toBeGreaterThan(0);
      expect(list(at(table.resource, "DependsOn"))).toEqual(others);
    });

    test("is encrypted by a key that AWS owns, paid by request, and forgets what has expired", () => {
      expect(tableOf(get(), name).properties).toMatchObject({
        // DynamoDB encrypts every table. Enabled would mean with a key of the account, which KMS charges for.
        SSESpecification: { SSEEnabled: false },
        BillingMode: "PAY_PER_REQUEST",
        TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true },
      });
    });

    test("tells of its changes, with how items were and are, if its schema says so", () => {
      const stream = tableSchemas[name].changes && { StreamViewType: "NEW_AND_OLD_IMAGES" };

      expect(at(tableOf(get(), name).properties, "StreamSpecification")).toEqual(stream);
    });

    test("has the keys and indexes of its schema, of texts", () => {
      const { properties } = tableOf(get(), name);
      const types = list(at(properties, "AttributeDefinitions")).map((one) => at(one, "AttributeType"));

      expect(at(properties, "KeySchema")).toEqual(keys("pk", "sk"));
      expect(list(at(properties, "LocalSecondaryIndexes"))).toEqual(indexesOf(name, "local"));
      expect(list(at(properties, "GlobalSecondaryIndexes"))).toEqual(indexesOf(name, "global"));
      expect(new Set(types)).toEqual(new Set(["S"]));
    });
  });
};
