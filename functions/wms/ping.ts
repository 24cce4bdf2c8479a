import { lambda } from "../../shared/http/lambda.ts";
import { definePing } from "../../shared/http/ping.ts";

export const endpoint = definePing("wms", "/apirest/v4/wms/ping");

export const handler = lambda(endpoint);
