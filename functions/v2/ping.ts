import { lambda } from "../../shared/http/lambda.ts";
import { definePing } from "../../shared/http/ping.ts";

export const endpoint = definePing("v2", "/apiv2/ping");

export const handler = lambda(endpoint);
