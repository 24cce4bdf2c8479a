import { RemovalPolicy } from "aws-cdk-lib";
import {
  type Attribute,
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import type { IndexSchema, TableSchema } from "../../shared/store/tables.ts";

/** A table that outlives mistakes. It stays when its stack is deleted, and can be restored to any second of 35 days. */
export class ServiceTable extends Table {
  constructor(scope: Construct, id: string, schema: TableSchema) {
    super(scope, id, {
      partitionKey: stringKey("pk"),
      sortKey: stringKey("sk"),
      timeToLiveAttribute: "expires_at",
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      ...(schema.changes === true && { stream: StreamViewType.NEW_AND_OLD_IMAGES }),
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
