import type { Received } from "../../auth/callers.ts";
import type { HttpEvent } from "../gateway.ts";

/** What authentication is given of a call. */
export const receivedOf = ({ headers, requestContext }: HttpEvent, weight = 1): Received => ({
  headers,
  source: requestContext.http.sourceIp,
  weight,
});
