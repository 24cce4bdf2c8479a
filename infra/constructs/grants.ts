import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { type Grant, type TableName, tableSchemas } from "../../shared/store/tables.ts";
import type { StoredTable } from "./service-table.ts";

/** `Scan` is left out. Its cost grows with the table, so no request may need it. */
const readActions = [
  "dynamodb:GetItem",
  "dynamodb:BatchGetItem",
  "dynamodb:Query",
  "dynamodb:ConditionCheckItem",
];

/** Without `UpdateItem`, whose answer can show the item. */
const putActions = ["dynamodb:PutItem", "dynamodb:DeleteItem"];

/**
 * A put or a deletion may ask for the item as it was before. Who may read nothing is refused that. IAM knows no key for
 * `ReturnValuesOnConditionCheckFailure`, so where a condition fails, the item can be asked for all the same.
 */
const answersNothing = { StringEqualsIfExists: { "dynamodb:ReturnValues": "NONE" } };

/** Transactions need no permissions of their own. */
const actionsOf: Readonly<Record<Grant, string[]>> = {
  read: readActions,
  write: [...readActions, ...putActions, "dynamodb:UpdateItem"],
  put: putActions,
};

/** Allows the actions of `grant` on this table, and to who may read it, queries of its indexes. */
export const grantTable = (grantee: IGrantable, table: StoredTable, name: TableName, grant: Grant): void => {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      actions: actionsOf[grant],
      resources: [table.tableArn],
      ...(grant === "put" ? { conditions: answersNothing } : {}),
    }),
  );
  if (grant === "put" || Object.keys(tableSchemas[name].indexes).length === 0) return;
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: ["dynamodb:Query"], resources: [`${table.tableArn}/index/*`] }),
  );
};

/** Allows what Lambda needs to read the stream of a table on behalf of a function. */
export const grantStream = (grantee: IGrantable, streamArn: string): void => {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      actions: [
        "dynamodb:DescribeStream",
        "dynamodb:GetRecords",
        "dynamodb:GetShardIterator",
        "dynamodb:ListStreams",
      ],
      resources: [streamArn],
    }),
  );
};

/** Allows a role to send to this queue, and nothing else. */
export const grantSend = (grantee: IGrantable, queue: IQueue): void => {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] }),
  );
};

/** Allows a role to read this secret. AWS's own key encrypts the secret, and needs no further permission. */
export const grantSecret = (grantee: IGrantable, secret: Secret): void => {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [secret.secretArn] }),
  );
};
