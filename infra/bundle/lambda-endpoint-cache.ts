/**
 * Replaces the AWS SDK's cache of discovered endpoints in the bundles.
 *
 * The DynamoDB client makes one with room for 1,000, and no call of the client asks it: DynamoDB's endpoint
 * follows from the region.
 */
export class EndpointCache {}
