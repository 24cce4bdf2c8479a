import { RemovalPolicy } from "aws-cdk-lib";
import type { Metric, MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import type { IndexSchema, TableSchema } from "../../shared/store/tables.ts";

/** A table, as functions, alarms and graphs need it. */
export interface StoredTable {
  readonly tableName: string;
  readonly tableArn: string;
  /** The ARN of the table's stream, if it has one. */
  readonly tableStreamArn?: string | undefined;
  metric(metricName: string, props?: MetricOptions): Metric;
}

/**
 * A table that survives mistakes. It is retained when its stack is deleted, and can be restored to any second
 * of the last 35 days. It is a global table with a single replica: more can be added without moving the data,
 * and each is protected in the same way.
 *
 * DynamoDB encrypts it with a key that AWS owns, free of charge. The account's key `aws/dynamodb` would add
 * KMS requests to the bill, and tables encrypted with it can't be copied to a backup vault in another
 * account.
 */
export class ServiceTable extends TableV2 {
  constructor(scope: Construct, id: string, schema: TableSchema, copies: readonly string[] = []) {
    super(scope, id, {
      partitionKey: stringKey("pk"),
      sortKey: stringKey("sk"),
      timeToLiveAttribute: "expires_at",
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      // Not `RETAIN_ON_UPDATE_OR_DELETE`: if the creation of the stack failed, CloudFormation would try to
      // delete protected tables, and the stack would end in ROLLBACK_FAILED. `DataStack` creates its tables
      // last instead.
      removalPolicy: RemovalPolicy.RETAIN,
      replicas: copies.map((region) => ({ region })),
      ...(schema.changes === true && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
    });
    for (const [indexName, index] of Object.entries(schema.indexes)) this.addIndex(indexName, index);
  }

  private addIndex(indexName: string, { scope, partitionKey, sortKey, include }: IndexSchema): void {
    const shape = { indexName, sortKey: stringKey(sortKey), ...projection(include) };
    if (scope === "local") this.addLocalSecondaryIndex(shape);
    else this.addGlobalSecondaryIndex({ ...shape, partitionKey: stringKey(partitionKey) });
  }
}

const stringKey = (name: string): Attribute => ({ name, type: AttributeType.STRING });

const projection = (include: readonly string[]) =>
  include.length === 0
    ? { projectionType: ProjectionType.KEYS_ONLY }
    : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...include] };
