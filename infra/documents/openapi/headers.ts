/** Headers that calls take and answers carry, as OpenAPI has them. */

export const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Makes a retry safe: the first answer to this key is given again for 24 hours, with `Idempotent-Replayed: true`.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

export const replayed = {
  "idempotent-replayed": {
    description: "`true` where the answer was given before to the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
  },
};

const id = { description: "Id of the request, as the log has it.", schema: { type: "string" } };

/** Every answer of the service itself has it. */
export const requestId = { "x-request-id": { required: true, ...id } };

/** For statuses that API Gateway may answer by itself: its answers lack what the service's have. */
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
      "Requests that may come at once (`q`), and seconds in which that many come back (`w`), where a limit is set.",
    schema: { type: "string", pattern: '^"account";q=[0-9]+;w=[0-9]+$' },
  },
  ratelimit: {
    description: "Requests that are left (`r`), and seconds until all are back (`t`), where a limit is set.",
    schema: { type: "string", pattern: '^"account";r=[0-9]+;t=[0-9]+$' },
  },
};
