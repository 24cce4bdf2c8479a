import { Aws, Duration, Fn, RemovalPolicy } from "aws-cdk-lib";
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import { Schedule } from "aws-cdk-lib/aws-events";
import { Construct } from "constructs";
import type { StoredTable } from "./service-table.ts";

/** Days that a backup is kept: as long as a table can be restored to any second. */
const daysKept = 35;

/** The end of a stack's id, which differs for every stack that there ever was. */
const endOfStackId = (): string => Fn.select(4, Fn.split("-", Fn.select(2, Fn.split("/", Aws.STACK_ID))));

/** Where backups are kept, also when the stack is deleted. A vault without backups costs nothing. */
export const backupVault = (scope: Construct, deployment: string): BackupVault =>
  new BackupVault(scope, "BackupVault", {
    backupVaultName: `${deployment}-${endOfStackId()}`,
    removalPolicy: RemovalPolicy.RETAIN,
  });

/**
 * A copy of each table a day. With `copies`, each backup is copied to the vault with that ARN, which may be another region's or
 * another account's: so it outlives the loss of both.
 */
export class DailyBackups extends Construct {
  constructor(
    scope: Construct,
    vault: BackupVault,
    tables: Iterable<StoredTable>,
    copies: string | undefined,
  ) {
    super(scope, "Backups");
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
