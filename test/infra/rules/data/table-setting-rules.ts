/** What an operator's settings make of the tables: restores, backups, and copies in other regions. */
import { Match, type Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { tableNames } from "../../../../shared/store/tables.ts";
import { functions, otherwise, stated, vault } from "../../apps/setting-apps.ts";
import { type Context, noSettings, type SmallApps } from "../../apps/small-apps.ts";

export const tableSettingRules = ({ appOf, templateOf: ofApp, refused }: SmallApps): void => {
  const templateOf = (id: string, context: Context): Template => ofApp(id, context, functions);

  test("a restored table serves in place of the deployment's own, which stays", () => {
    const data = templateOf("data", stated);
    const variables = Object.values(templateOf("oms", stated).findResources("AWS::Lambda::Function"))[0]?.[
      "Properties"
    ].Environment.Variables;

    data.resourceCountIs("AWS::DynamoDB::GlobalTable", tableNames.length);
    data.hasOutput("TABLEORDERS", { Value: "orders-restored" });
    expect(variables).toMatchObject({ TABLE_ORDERS: "orders-restored" });
    expect(variables.TABLE_INVENTORY).not.toBe("inventory-restored");
  });

  test("tables are backed up each day if the setting says so, and copied to the vault that it names", () => {
    const plain = templateOf("backups", noSettings);
    const daily = templateOf("backups", otherwise);
    const copied = templateOf("backups", stated);
    const [selection] = Object.values(daily.findResources("AWS::Backup::BackupSelection"));

    plain.resourceCountIs("AWS::Backup::BackupPlan", 0);
    expect(selection?.["Properties"].BackupSelection.Resources).toHaveLength(tableNames.length);
    const ruleOf = (template: Template) =>
      Object.values(template.findResources("AWS::Backup::BackupPlan"))[0]?.["Properties"].BackupPlan
        .BackupPlanRule[0];
    expect(ruleOf(daily)).toMatchObject({ Lifecycle: { DeleteAfterDays: 35 } });
    expect(ruleOf(daily)).not.toHaveProperty("CopyActions.0");
    expect(ruleOf(copied).CopyActions).toMatchObject([
      { DestinationBackupVaultArn: vault, Lifecycle: { DeleteAfterDays: 35 } },
    ]);
    // It is kept when its stack goes, so no later stack may want its name, and switching backups off and on
    // makes no new one.
    for (const template of [plain, daily])
      template.hasResource("AWS::Backup::BackupVault", {
        DeletionPolicy: "RetainExceptOnCreate",
        Properties: { BackupVaultName: Match.objectLike({ "Fn::Join": Match.anyValue() }) },
      });
  });

  test("a failed backup raises an alarm, as does one that could not begin in time, and a failed copy if backups are copied", () => {
    const watchedIn = (context: Context) => {
      const template = templateOf("backups", context);
      const vaults = Object.keys(template.findResources("AWS::Backup::BackupVault"));
      return Object.values(template.findResources("AWS::CloudWatch::Alarm")).map(({ Properties }) => {
        const { Namespace, MetricName, Dimensions } = Properties;
        expect(Namespace).toBe("AWS/Backup");
        expect(Dimensions).toEqual([
          { Name: "BackupVaultName", Value: { "Fn::GetAtt": [vaults[0], "BackupVaultName"] } },
        ]);
        return MetricName;
      });
    };

    expect(watchedIn(noSettings)).toEqual([]);
    const own = ["NumberOfBackupJobsExpired", "NumberOfBackupJobsFailed"];
    expect(watchedIn(otherwise).toSorted()).toEqual(own);
    expect(watchedIn(stated).toSorted()).toEqual([...own, "NumberOfCopyJobsFailed"]);
  });

  describe("copies of the tables in other regions", () => {
    test("are made of every table, and are as well protected", () => {
      const data = templateOf("data", otherwise);

      const tables = Object.values(data.findResources("AWS::DynamoDB::GlobalTable"));
      expect(tables).toHaveLength(tableNames.length);
      for (const { Properties } of tables) {
        expect(Properties.Replicas.map((one: { readonly Region: unknown }) => one.Region).sort()).toEqual([
          "eu-central-1",
          "eu-west-1",
        ]);
        for (const replica of Properties.Replicas)
          expect(replica).toMatchObject({
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          });
        expect(Properties.StreamSpecification).toEqual({ StreamViewType: "NEW_AND_OLD_IMAGES" });
      }
    });

    test("have nothing else of the service beside them: all stacks are the home's", () => {
      const regions = appOf(otherwise, functions).stacks.map(({ environment }) => environment.region);

      expect(new Set(regions)).toEqual(new Set(["eu-west-1"]));
    });

    test.each([
      [{ home: "eu-west-1", others: [] }, "replicas.others must name at least one region"],
      [{ home: "eu-west-1", others: ["eu-west-1"] }, "replicas.others must name each region once"],
      [{ home: "Ireland", others: ["eu-west-1"] }, "replicas.home must be a region"],
    ])("are rejected if %j names them", (stated, words) => {
      expect(refused({ replicas: stated })).toThrow(words);
    });
  });
};
