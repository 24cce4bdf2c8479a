import { lambda } from "../../shared/http/lambda.ts";
import { definePing } from "../../shared/http/ping.ts";

export const endpoint = definePing("oms", "/apirest/v4/oms/ping");

export const handler = lambda(endpoint);
