/**
 * Replaces classes of the AWS SDK in the bundles that the SDK instantiates but never uses here.
 *
 * DynamoDB's endpoint is determined by its region, so no function discovers endpoints, and Node computes all
 * digests. No function signs the headers of event streams. Calls are retried in the standard mode.
 */
export class EndpointCache {}
export class Sha256Js {}
export class HeaderFormatter {}
export class AdaptiveRetryStrategy {}
export class DefaultRateLimiter {}
