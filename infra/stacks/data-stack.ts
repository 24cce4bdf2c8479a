import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import { type TableName, tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { backupVault, DailyBackups } from "../constructs/daily-backups.ts";
import { ServiceTable, type StoredTable } from "../constructs/service-table.ts";
import { SigningSecret } from "../constructs/signing-secret.ts";
import { outputOf } from "../output-names.ts";
import type { RestoredTable, Settings } from "../settings.ts";

export interface DataStackProps extends StackProps {
  readonly settings: Pick<
    Settings,
    "deployment" | "restoredTables" | "replicas" | "backups" | "backupCopies"
  >;
}

/** Everything that must not be lost: the tables, and the secret that signs mobile sessions. */
export class DataStack extends Stack {
  readonly tables: ReadonlyMap<TableName, StoredTable>;
  readonly secret: SigningSecret;

  constructor(scope: Construct, id: string, { settings, ...props }: DataStackProps) {
    super(scope, id, props);
    const { deployment, restoredTables, replicas, backups, backupCopies } = settings;
    const tables = tableNames.map((name): [TableName, StoredTable] => [
      name,
      new ServiceTable(this, name, tableSchemas[name], replicas?.others),
    ]);
    this.tables = new Map(
      tables.map(([name, table]) => [name, this.restored(name, restoredTables[name]) ?? table]),
    );
    // It is there without backups, too: made anew after it was kept, it would meet its old name.
    const vault = backupVault(this, deployment);
    if (backups === "daily") new DailyBackups(this, vault, this.tables.values(), backupCopies);
    this.secret = new SigningSecret(this, "SigningSecret");
    this.exportValue(this.secret.secretArn);
    for (const [, table] of tables) this.keepExported(table);
    for (const [name, table] of this.tables) {
      new CfnOutput(this, outputOf(tableSchemas[name].variable), {
        value: table.tableName,
        description: `The table "${name}"; the operator's commands find it by this, or by the variable ${tableSchemas[name].variable}.`,
      });
    }
    new CfnOutput(this, "SigningSecretArn", {
      value: this.secret.secretArn,
      description: "What sessions are signed with; docs/operators.md says how to rotate it",
    });
  }

  /** A table that serves in place of the one that this stack made, which stays as it is. */
  private restored(name: TableName, restored: RestoredTable | undefined): StoredTable | undefined {
    if (restored === undefined) return undefined;
    const { name: tableName, stream } = restored;
    return TableV2.fromTableAttributes(this, `${name}-restored`, {
      tableName,
      ...(stream === undefined ? {} : { tableStreamArn: stream }),
    });
  }

  /**
   * Exports a table whether or not a stack above uses it today. Otherwise the export would go away with the last
   * endpoint that uses the table. CloudFormation would refuse that: it updates this stack first, while the endpoint is
   * still deployed.
   */
  private keepExported(table: StoredTable): void {
    this.exportValue(table.tableName);
    this.exportValue(table.tableArn);
    if (table.tableStreamArn !== undefined) this.exportValue(table.tableStreamArn);
  }
}
