import { awsEnvironment } from "../aws-environment.ts";
import type { Permission } from "./iam.ts";
import type { Operation, Service } from "./operations.ts";

/** An error as AWS would return it. */
export interface ErrorAnswer {
  readonly status: number;
  readonly code: string;
  readonly body: string;
}

const answer = (
  status: number,
  namespace: string,
  code: string,
  rest: Record<string, unknown>,
): ErrorAnswer => ({
  status,
  code,
  body: JSON.stringify({ __type: `${namespace}#${code}`, ...rest }),
});

const dynamoNamespace = "com.amazonaws.dynamodb.v20120810";

export const unknownCaller = (): ErrorAnswer =>
  answer(400, "com.amazon.coral.service", "UnrecognizedClientException", {
    message: "The security token included in the request is invalid.",
  });

export const unknownOperation = (): ErrorAnswer =>
  answer(400, "com.amazon.coral.service", "UnknownOperationException", {});

export const accessDenied = (
  role: string,
  functionName: string,
  { action, resource }: Permission,
): ErrorAnswer => {
  const user = `arn:${awsEnvironment.partition}:sts::${awsEnvironment.account}:assumed-role/${role}/${functionName}`;
  return answer(400, "com.amazon.coral.service", "AccessDeniedException", {
    Message:
      `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ` +
      `because no identity-based policy allows the ${action} action`,
  });
};

const throttlings: Readonly<Record<Service, ErrorAnswer>> = {
  dynamodb: answer(400, "com.amazon.coral.availability", "ThrottlingException", {
    message: "Throughput exceeds the current capacity of your table or index.",
  }),
  sqs: answer(400, "com.amazonaws.sqs", "RequestThrottled", { message: "Rate exceeded" }),
  secretsmanager: answer(400, "com.amazon.coral.availability", "ThrottlingException", {
    message: "Rate exceeded",
  }),
};

export const throttled = ({ service }: Operation): ErrorAnswer => throttlings[service];

/**
 * A transaction's conflict names an item by its position, here the first. A single write has another error.
 */
export const conflict = ({ transactionItems }: Operation): ErrorAnswer => {
  if (transactionItems === 0) {
    return answer(400, dynamoNamespace, "TransactionConflictException", {
      message: "Transaction is ongoing for the item",
    });
  }
  const codes = ["TransactionConflict", ...Array<string>(transactionItems - 1).fill("None")];
  return answer(400, dynamoNamespace, "TransactionCanceledException", {
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(", ")}]`,
    CancellationReasons: codes.map((Code) =>
      Code === "None" ? { Code } : { Code, Message: "Transaction is ongoing for the item" },
    ),
  });
};

const failures: Readonly<Record<Service, ErrorAnswer>> = {
  dynamodb: answer(500, dynamoNamespace, "InternalServerError", { message: "Internal server error" }),
  sqs: answer(500, "com.amazonaws.sqs", "InternalFailure", { message: "Internal server error" }),
  secretsmanager: answer(500, "com.amazonaws.secretsmanager", "InternalServiceError", {
    message: "Internal service error",
  }),
};

export const internalError = ({ service }: Operation): ErrorAnswer => failures[service];

export const secretNotFound = (): ErrorAnswer =>
  answer(400, "com.amazonaws.secretsmanager", "ResourceNotFoundException", {
    Message: "Secrets Manager can't find the specified secret.",
  });
