/**
 * Calls that come through the deployment's own edge, a CloudFront distribution (docs/decisions.md, The edge).
 * API Gateway sees CloudFront's address then, so the edge passes on the viewer's, which is trusted only with
 * the edge's proof.
 */
import { isIP } from "node:net";
import { isKey } from "../../auth/secrets.ts";
import { Problem } from "../../common/problem.ts";
import { directVariable, edgeHeaders, edgeVariable } from "../../lambda/contract.ts";
import { logger } from "../../lambda/log.ts";
import type { HttpEvent } from "../gateway.ts";

/** Whether the call has one of the secrets whose SHA-256 hashes the deployment accepts. */
const isProven = (sent: string | undefined, accepted: string): boolean =>
  sent !== undefined && accepted.split(" ").some((hash) => isKey(sent, hash));

/**
 * The call as the viewer sent it to the edge: its source is the viewer's address, and its host the one that
 * the viewer named. A deployment without an edge takes each call as it came.
 * @throws Problem `forbidden` where the call came around the edge, unless the deployment still answers such
 * calls
 */
export function throughEdge(event: HttpEvent): HttpEvent {
  const accepted = process.env[edgeVariable];
  if (accepted === undefined) return event;
  const { [edgeHeaders.proof]: proof, ...headers } = event.headers;
  if (!isProven(proof, accepted)) return direct({ ...event, headers });
  const { [edgeHeaders.address]: address = "", [edgeHeaders.host]: host } = headers;
  const { http } = event.requestContext;
  const source = isIP(address) === 0 ? http.sourceIp : address;
  logger.note({ source });
  return {
    ...event,
    headers: { ...headers, ...(host === undefined ? {} : { host }) },
    requestContext: { ...event.requestContext, http: { ...http, sourceIp: source } },
  };
}

/** A call that bypassed the edge counts for its own source address, if such calls are accepted. */
function direct(event: HttpEvent): HttpEvent {
  if (process.env[directVariable] === "answered") return event;
  throw new Problem("forbidden", "This address answers no calls; call the service by its own domain");
}
