/** Names of environment variables, headers and metrics that functions and stacks share, and one limit. */
import type { QueueName } from "./queue-names.ts";

/** Deliveries of a message before it goes to the dead-letter queue. */
export const maxDeliveries = 5;

/** The environment variable that holds the address of a kind's queue. */
export const queueVariable = (kind: QueueName): string => `QUEUE_${kind.toUpperCase()}`;

/** The environment variable with the identifier of the signing secret, in functions that use it. */
export const secretVariable = "SECRET_SIGNING";

/** The environment variable with the ARN of the monitor's secret, in functions that monitor the service. */
export const monitorVariable = "SECRET_MONITOR";

/** The environment variable with the internal networks, in functions that serve only these. */
export const networksVariable = "INTERNAL_NETWORKS";

/** Allows webhooks to this machine, if it is `allowed`. Only the local runtime sets it. */
export const loopbackVariable = "WEBHOOKS_TO_LOOPBACK";

/** The environment variable that holds the deployment's name, in all functions. Logs and metrics carry it. */
export const deploymentVariable = "DEPLOYMENT";

/** The proofs of the edge as SHA-256 (hexadecimal, spaces between), in functions that answer HTTP. */
export const edgeVariable = "EDGE_DIGESTS";

/** The environment variable that allows calls to bypass the edge, if its value is `answered`. */
export const directVariable = "EDGE_DIRECT";

/**
 * The environment variable with the origins whose pages may call the service, separated by spaces; `*` for
 * all. Functions that answer calls have it if the deployment names any.
 */
export const corsVariable = "CORS_ORIGINS";

/** The headers that the edge adds to each call. They replace those of the same names that a viewer sends. */
export const edgeHeaders = {
  /** A secret of the edge. */
  proof: "x-origin-verify",
  /** The address of the viewer. */
  address: "true-client-ip",
  /** The host that the viewer called. */
  host: "x-forwarded-host",
} as const;

/** CloudWatch's namespace of a deployment's metrics, apart from those of others in the same AWS account. */
export const metricsNamespace = (deployment: string): string => `OrderInventoryWarehouse/${deployment}`;

/** The metric that counts the webhooks which the service switched off. An alarm watches it. */
export const webhooksOff = "webhooks_disabled";

/** The metric that counts the changes which could not be published. An alarm watches it. */
export const changesSetAside = "changes_set_aside";
