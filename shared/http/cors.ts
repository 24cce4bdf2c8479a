/**
 * Headers by which pages of other sites may call the service, if the operator allows them (docs/decisions.md,
 * Calls from other sites). Browsers' credentials are not allowed: keys are sent as headers, and cookies are
 * only for the documentation, which has none of these headers.
 */

import type { APIGatewayProxyEventV2 as HttpEvent } from "aws-lambda";
import { corsVariable } from "../runtime/shared-names.ts";

const exposed =
  "etag, x-request-id, apigw-requestid, retry-after, ratelimit, ratelimit-policy, idempotent-replayed, allow";

/** The headers that calls may send, beyond those that browsers always allow. */
const accepted =
  "accountid, key, username, authorization, token, user-id, device-id, app, app-version, system-version, " +
  "content-type, content-encoding, idempotency-key, if-match";

/** How long browsers may keep the answer to a preflight, in seconds. */
const maxAge = "7200";

/** The headers of every answer. Without the setting there are none. */
export function corsHeaders({ headers }: HttpEvent): Readonly<Record<string, string>> {
  const allowed = process.env[corsVariable]?.split(" ");
  if (allowed === undefined) return {};
  const origin = headers["origin"] ?? "";
  const isAny = allowed.includes("*");
  const vary = isAny ? {} : { vary: "origin" };
  if (!isAny && !allowed.includes(origin)) return vary;
  return {
    "access-control-allow-origin": isAny ? "*" : origin,
    "access-control-expose-headers": exposed,
    ...vary,
  };
}

/** The additional headers of an answer to a preflight. `methods` are those of the path. */
export function preflightHeaders(event: HttpEvent, methods: string): Readonly<Record<string, string>> {
  if (event.headers["access-control-request-method"] === undefined) return {};
  if (corsHeaders(event)["access-control-allow-origin"] === undefined) return {};
  return {
    "access-control-allow-methods": methods,
    "access-control-allow-headers": accepted,
    "access-control-max-age": maxAge,
  };
}
