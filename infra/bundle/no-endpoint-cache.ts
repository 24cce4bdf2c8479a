/**
 * Replaces the cache of the AWS SDK's endpoint discovery in the bundles. DynamoDB's endpoint is known by its
 * region, so no function discovers any; the client only makes a cache.
 */
export class EndpointCache {}
