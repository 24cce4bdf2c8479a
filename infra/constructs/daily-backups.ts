import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import { Schedule } from "aws-cdk-lib/aws-events";
import { Construct } from "constructs";
import type { StoredTable } from "./service-table.ts";

/** Days that a backup is kept: as long as a table can be restored to any second. */
const daysKept = 35;

/**
 * A copy of each table a day, in a vault that outlives its stack. With `copies`, each backup is copied to the vault with that
 * ARN, which may be another region's or another account's: so it outlives the loss of both.
 */
export class DailyBackups extends Construct {
  constructor(scope: Construct, tables: Iterable<StoredTable>, copies: string | undefined) {
    super(scope, "Backups");
    const vault = new BackupVault(this, "Vault", { removalPolicy: RemovalPolicy.RETAIN });
    const deleteAfter = Duration.days(daysKept);
    const plan = new BackupPlan(this, "Plan", { backupVault: vault });
    plan.addRule(
      new BackupPlanRule({
        scheduleExpression: Schedule.cron({ hour: "3", minute: "0" }),
        deleteAfter,
        copyActions:
          copies === undefined
            ? []
            : [
                {
                  destinationBackupVault: BackupVault.fromBackupVaultArn(this, "Copies", copies),
                  deleteAfter,
                },
              ],
      }),
    );
    plan.addSelection("Tables", {
      resources: [...tables].map(({ tableArn }) => BackupResource.fromArn(tableArn)),
    });
  }
}
