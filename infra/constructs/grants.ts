import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { everyKind, type Verb } from "../../shared/store/access.ts";
import type { Permit } from "../../shared/store/permits.ts";
import type { StoredTable } from "./service-table.ts";

/**
 * The DynamoDB actions of each verb; a transaction needs those of its items. `Scan` is left out: its cost
 * grows with the table, so no request may use it.
 */
const actionsOf: Readonly<Record<Verb, readonly string[]>> = {
  read: ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"],
  insert: ["dynamodb:PutItem"],
  change: ["dynamodb:UpdateItem"],
  remove: ["dynamodb:DeleteItem"],
};

/** An index can only be queried. */
const ofIndexes: readonly string[] = ["dynamodb:Query"];

/**
 * A write may request the old or the new item. A role that may neither read nor change items is denied that.
 * Roles that change items need it, because ids are taken from the item that a change returns. IAM has no
 * condition key for `ReturnValuesOnConditionCheckFailure`, so a write whose condition fails can still request
 * the item.
 */
const answersNothing = { StringEqualsIfExists: { "dynamodb:ReturnValues": "NONE" } };

/**
 * Matches if all partition keys of a request are of these kinds. A batch names many keys, and all of them
 * must match one statement. `ForAllValues` also matches a request without keys; `Null` denies such a request.
 */
const ofKinds = (kinds: readonly string[]) => ({
  "ForAllValues:StringLike": {
    "dynamodb:LeadingKeys": kinds.map((kind) => (kind.endsWith("#") ? `${kind}*` : kind)),
  },
  Null: { "dynamodb:LeadingKeys": "false" },
});

export const grantPermit = (grantee: IGrantable, table: StoredTable, permit: Permit): void => {
  const { index, kinds } = permit;
  const isBlind = ![...kinds.values()].flat().some((verb) => verb === "read" || verb === "change");
  for (const { verbs, conditions } of statementsOf(kinds)) {
    const actions = verbs.flatMap((verb) => actionsOf[verb]);
    const all = { ...conditions, ...(isBlind ? answersNothing : {}) };
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: index === undefined ? actions : actions.filter((action) => ofIndexes.includes(action)),
        resources: [index === undefined ? table.tableArn : `${table.tableArn}/index/${index}`],
        ...(Object.keys(all).length > 0 ? { conditions: all } : {}),
      }),
    );
  }
};

/** Verbs that apply to the same kinds of items are joined into one statement. */
function statementsOf(kinds: Permit["kinds"]) {
  const concerned = (verb: Verb): readonly string[] =>
    [...kinds].flatMap(([kind, some]) => (some.includes(verb) ? [kind] : []));
  const all = [...new Set([...kinds.values()].flat())];
  return [...Map.groupBy(all, (verb) => JSON.stringify(concerned(verb))).values()].map((verbs) => {
    const those = [...new Set(verbs.flatMap(concerned))];
    return { verbs, conditions: those.includes(everyKind) ? {} : ofKinds(those) };
  });
}

/** Allows Lambda to read a table's stream for a function. */
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

/** Allows a role only to send to this queue. */
export const grantSend = (grantee: IGrantable, queue: IQueue): void => {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] }),
  );
};

/** Allows a role to read this secret. A key of AWS encrypts it, so no further permission is needed. */
export const grantSecret = (grantee: IGrantable, secret: Secret): void => {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [secret.secretArn] }),
  );
};
