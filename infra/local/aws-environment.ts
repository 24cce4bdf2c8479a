/**
 * The account and region in which the stacks appear to be deployed. DynamoDB Local and the queue server use
 * the same values in their ARNs.
 */
export const awsEnvironment = {
  region: "us-east-1",
  account: "000000000000",
  partition: "aws",
  domain: "amazonaws.com",
} as const;

/** The ARN of a resource of this deployment. */
export const arn = (service: string, resource: string): string =>
  `arn:${awsEnvironment.partition}:${service}:${awsEnvironment.region}:${awsEnvironment.account}:${resource}`;
