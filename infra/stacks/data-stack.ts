import { CfnOutput, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { type TableName, tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { DeploymentRecord } from "../constructs/deployment-record.ts";
import { ServiceTable, type StoredTable } from "../constructs/service-table.ts";
import { outputOf } from "../output-names.ts";
import type { RestoredTable, Settings } from "../settings.ts";

interface DataStackProps extends StackProps {
  readonly bundles: string;
  readonly settings: Pick<Settings, "restoredTables" | "replicas">;
}

/**
 * The stack of everything that must not be lost: the tables, and the secret that signs mobile sessions.
 *
 * The tables are created last, because they are protected and are retained if the creation of the stack
 * fails. Only the record of the deployment follows them, since it is stored in one of them. So a failure
 * before the tables leaves nothing behind, and a failure of a table or of the record leaves only tables,
 * which are empty and free of charge.
 */
export class DataStack extends Stack {
  readonly tables: ReadonlyMap<TableName, StoredTable>;
  readonly secret: Secret;

  constructor(scope: Construct, id: string, { settings, bundles, ...props }: DataStackProps) {
    super(scope, id, props);
    const { restoredTables, replicas } = settings;
    this.secret = this.newSecret();
    const tables = tableNames.map((name): [TableName, StoredTable] => [
      name,
      this.newTable(name, replicas?.others),
    ]);
    this.tables = new Map(
      tables.map(([name, table]) => [name, this.restored(name, restoredTables[name]) ?? table]),
    );
    this.exportValue(this.secret.secretArn);
    new DeploymentRecord(this, "DeploymentRecord", this.tables, bundles);
    for (const [name, table] of tables) this.keepExported(table, tableSchemas[name].changes === true);
    for (const [name, table] of this.tables) {
      new CfnOutput(this, outputOf(tableSchemas[name].variable), {
        value: table.tableName,
        description: `The table "${name}"; the operator's commands find it by this.`,
      });
    }
    new CfnOutput(this, "SigningSecretArn", {
      value: this.secret.secretArn,
      description: "Signs sessions; docs/operators/day-to-day.md explains how to rotate it",
    });
  }

  /**
   * The deployment generates it, with more than the 256 bits that HMAC-SHA256 uses, and no person sees it. It
   * is retained when its stack is deleted, because a new secret ends all sessions, but not if the creation of
   * the stack fails. docs/operators/day-to-day.md explains how to rotate it.
   */
  private newSecret(): Secret {
    return new Secret(this, "SigningSecret", {
      description: "Signs the sessions of the mobile application and of the documentation",
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }

  private newTable(name: TableName, copies: readonly string[] | undefined): ServiceTable {
    const table = new ServiceTable(this, name, tableSchemas[name], copies);
    table.node.addDependency(this.secret);
    return table;
  }

  /** A restored table that replaces the one that this stack created. The replaced table stays unchanged. */
  private restored(name: TableName, restored: RestoredTable | undefined): StoredTable | undefined {
    if (restored === undefined) return undefined;
    const { name: tableName, stream } = restored;
    return TableV2.fromTableAttributes(this, `${name}-restored`, {
      tableName,
      ...(stream === undefined ? {} : { tableStreamArn: stream }),
    });
  }

  /**
   * Exports a table whether or not a stack above uses it today. Otherwise the export would disappear with the
   * last endpoint that uses the table. CloudFormation would reject that, because it updates this stack first,
   * while the endpoint is still deployed. A table without a stream has no stream ARN: `TableV2` has the
   * attribute for every table, but CloudFormation fails if a template refers to it.
   */
  private keepExported(table: StoredTable, hasStream: boolean): void {
    this.exportValue(table.tableName);
    this.exportValue(table.tableArn);
    if (hasStream && table.tableStreamArn !== undefined) this.exportValue(table.tableStreamArn);
  }
}
