import { Aws, Duration, Fn, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Schedule } from "aws-cdk-lib/aws-events";
import type { Construct } from "constructs";
import { type Notice, NoticeAlarm } from "../constructs/notice-alarm.ts";
import type { StoredTable } from "../constructs/service-table.ts";
import type { Settings } from "../settings.ts";

/** Days that a backup is kept: as long as a table can be restored to any second. */
const daysKept = 35;

/** A kind of jobs that AWS Backup counts, and what to do about one of them. */
interface WatchedJobs extends Notice {
  readonly id: string;
  readonly metricName: string;
}

const backupJobs: WatchedJobs = {
  id: "Failed",
  metricName: "NumberOfBackupJobsFailed",
  userNotices: "Nothing yet. Today's backup of a table is missing, in case it is needed later.",
  whatToDo:
    "Find the failed job under Jobs in the console of AWS Backup, which shows the reason. DynamoDB must be enabled under Settings " +
    "there. Tables can still be restored to any second of the last 35 days. Start the backup again by hand, or wait for the next day's.",
};

/** AWS Backup tries to start a job until its window ends. A job that expires is not counted as failed. */
const expiredJobs: WatchedJobs = {
  id: "Expired",
  metricName: "NumberOfBackupJobsExpired",
  userNotices: backupJobs.userNotices,
  whatToDo:
    "Find the expired job under Jobs in the console of AWS Backup, which shows why it could not start within eight hours. " +
    "The usual reasons are too many concurrent jobs, or a running backup of the same table. Tables can still " +
    "be restored to any second of the last 35 days. Start the backup again by hand, or wait for the next day's.",
};

const copyJobs: WatchedJobs = {
  id: "NotCopied",
  metricName: "NumberOfCopyJobsFailed",
  userNotices: "Nothing yet. Today's backup of a table is missing in the vault of the setting backupCopies.",
  whatToDo:
    "Find the failed copy job under Jobs in the console of AWS Backup, which shows the reason. The access policy of the other vault " +
    "must allow backup:CopyIntoBackupVault to this account. Start the copy again by hand, or wait for the next day's.",
};

interface BackupsStackProps extends StackProps {
  readonly settings: Pick<Settings, "deployment" | "backups" | "backupCopies">;
  readonly tables: ReadonlyMap<string, StoredTable>;
}

/**
 * The backup vault and, with the setting `backups`, a daily backup of each table. With `backupCopies`, each
 * backup is copied to the vault with that ARN in another region or account, where it survives the loss of
 * this one.
 */
export class BackupsStack extends Stack {
  constructor(scope: Construct, id: string, { settings, tables, ...props }: BackupsStackProps) {
    super(scope, id, props);
    const { deployment, backups, backupCopies } = settings;
    const vault = this.newVault(deployment);
    if (backups === "off") return;
    this.backUpDaily(vault, [...tables.values()], backupCopies);
    const watched = [backupJobs, expiredJobs, ...(backupCopies === undefined ? [] : [copyJobs])];
    for (const jobs of watched) this.alarmOn(jobs, vault);
  }

  /**
   * It exists without the setting as well, so that switching backups off and on again finds the same vault.
   * It costs nothing while empty, and is retained when the stack is deleted. The end of the stack's id
   * distinguishes its name from those of earlier stacks.
   */
  private newVault(deployment: string): BackupVault {
    const endOfStackId = Fn.select(4, Fn.split("-", Fn.select(2, Fn.split("/", Aws.STACK_ID))));
    return new BackupVault(this, "BackupVault", {
      backupVaultName: `${deployment}-${endOfStackId}`,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }

  private backUpDaily(vault: BackupVault, tables: readonly StoredTable[], copies: string | undefined): void {
    const deleteAfter = Duration.days(daysKept);
    const copyActions =
      copies === undefined
        ? []
        : [{ destinationBackupVault: BackupVault.fromBackupVaultArn(this, "Copies", copies), deleteAfter }];
    const plan = new BackupPlan(this, "Plan", { backupVault: vault });
    plan.addRule(
      new BackupPlanRule({
        scheduleExpression: Schedule.cron({ hour: "3", minute: "0" }),
        deleteAfter,
        copyActions,
      }),
    );
    plan.addSelection("Tables", {
      resources: tables.map(({ tableArn }) => BackupResource.fromArn(tableArn)),
    });
  }

  private alarmOn({ id, metricName, ...notice }: WatchedJobs, { backupVaultName }: BackupVault): void {
    new NoticeAlarm(this, id, {
      metric: new Metric({
        namespace: "AWS/Backup",
        metricName,
        dimensionsMap: { BackupVaultName: backupVaultName },
        period: Duration.hours(1),
        statistic: Stats.SUM,
      }),
      runbook: "A backup failed",
      severity: "later",
      ...notice,
    });
  }
}
