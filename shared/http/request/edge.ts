/**
 * Calls through the deployment's own edge, a CloudFront distribution (docs/decisions.md, The edge). API
 * Gateway sees CloudFront's address, so the edge passes on the viewer's. It is trusted only with the edge's
 * proof.
 */
import { isIP } from "node:net";
import type { APIGatewayProxyEventV2 as HttpEvent } from "aws-lambda";
import { isKey } from "../../auth/secrets.ts";
import { Problem } from "../../common/problem.ts";
import { logger } from "../../runtime/log.ts";
import { directVariable, edgeHeaders, edgeVariable } from "../../runtime/shared-names.ts";

/** Whether the call carries a secret whose SHA-256 hash the deployment accepts. */
const isProven = (sent: string | undefined, accepted: string): boolean =>
  sent !== undefined && accepted.split(" ").some((hash) => isKey(sent, hash));

/**
 * The call as the viewer sent it to the edge, with the viewer's address as its source and the host that the
 * viewer named. Without an edge, the call as it came.
 * @throws Problem `forbidden` if the call bypassed the edge and the deployment does not accept such calls
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

/** A call that bypassed the edge, with the address of its connection as its source. */
function direct(event: HttpEvent): HttpEvent {
  if (process.env[directVariable] === "answered") return event;
  throw new Problem("forbidden", "This address answers no calls; call the service by its own domain");
}
