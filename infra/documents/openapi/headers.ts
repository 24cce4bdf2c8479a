/** Headers of calls and answers, as OpenAPI describes them. */
import type { Parameter } from "./operation.ts";

export const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Makes a retry safe: for 24 hours the first response to this key is returned again, with `Idempotent-Replayed: true`.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

export const dryRun: Parameter = {
  name: "dry_run",
  in: "query",
  description:
    "With `true`, the call is checked and answered as usual, and nothing is stored, queued or sent. The response says `dry_run: true`; what only a stored record has, such as the ids of new records, is null in it. An `Idempotency-Key` is ignored.",
  schema: { type: "boolean", default: false },
};

export const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  description:
    "Changes the record only while it has this version, as the `ETag` of its GET states it; else 412. Only for calls about one record.",
  schema: { type: "string", pattern: '^(?:\\*|"[1-9][0-9]*")$' },
};

/** The version of the record that a GET answers. */
export const etag = {
  etag: {
    description: "The `version` of the record in quotes, to be sent as `If-Match`.",
    schema: { type: "string", pattern: '^"[1-9][0-9]*"$' },
  },
};

export const replayed = {
  "idempotent-replayed": {
    description: "`true` if this is the first response to the same `Idempotency-Key`, returned again.",
    schema: { type: "string", enum: ["true"] },
  },
};

const id = { description: "Id of the request in the log.", schema: { type: "string" } };

/** In every answer of the service itself. */
export const requestId = { "x-request-id": { required: true, ...id } };

/** For statuses that API Gateway may return itself: its answers lack the service's headers. */
export const requestIdOfService = { "x-request-id": id };

export const retryAfter = {
  "retry-after": {
    description: "Seconds after which to try again.",
    schema: { type: "integer", minimum: 1 },
  },
};

/** The headers of an account's request limit, if it has one (docs/decisions.md, Request limits). */
export const requestLimits = {
  "ratelimit-policy": {
    description:
      "Requests that may come at once (`q`), and seconds until that many are available again (`w`), if a limit is set.",
    schema: { type: "string", pattern: '^"account";q=[0-9]+;w=[0-9]+$' },
  },
  ratelimit: {
    description:
      "Requests that are left (`r`), and seconds until all are available again (`t`), if a limit is set.",
    schema: { type: "string", pattern: '^"account";r=[0-9]+;t=[0-9]+$' },
  },
};
