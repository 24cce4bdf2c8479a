/**
 * Stands for classes of the AWS SDK in the bundles, of which it makes an object at most.
 *
 * DynamoDB's endpoint is known by its region, so no function discovers any, and Node computes all digests.
 * The headers of event streams are not signed, as there are none. Calls are retried in the standard mode.
 */
export class EndpointCache {}
export class Sha256Js {}
export class HeaderFormatter {}
export class AdaptiveRetryStrategy {}
export class DefaultRateLimiter {}
