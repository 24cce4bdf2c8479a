import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import { type TableName, tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { ServiceTable } from "../constructs/service-table.ts";
import { SigningSecret } from "../constructs/signing-secret.ts";
import { outputOf } from "../output-names.ts";

/** Everything that must not be lost: the tables, and the secret that signs mobile sessions. */
export class DataStack extends Stack {
  readonly tables: ReadonlyMap<TableName, Table>;
  readonly secret: SigningSecret;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const tables = tableNames.map((name): [TableName, Table] => [
      name,
      new ServiceTable(this, name, tableSchemas[name]),
    ]);
    this.tables = new Map(tables);
    this.secret = new SigningSecret(this, "SigningSecret");
    this.exportValue(this.secret.secretArn);
    for (const [, table] of tables) this.keepExported(table);
    for (const [name, table] of tables) {
      new CfnOutput(this, outputOf(tableSchemas[name].variable), {
        value: table.tableName,
        description: `The table "${name}"; the operator's commands find it by this, or by the variable ${tableSchemas[name].variable}.`,
      });
    }
    new CfnOutput(this, "SigningSecretArn", {
      value: this.secret.secretArn,
      description: "What mobile sessions are signed with; a new value ends all of them",
    });
  }

  /**
   * Exports a table whether or not a stack above uses it today. Otherwise the export would go away with the last
   * endpoint that uses the table. CloudFormation would refuse that: it updates this stack first, while the endpoint is
   * still deployed.
   */
  private keepExported(table: Table): void {
    this.exportValue(table.tableName);
    this.exportValue(table.tableArn);
    if (table.tableStreamArn !== undefined) this.exportValue(table.tableStreamArn);
  }
}
