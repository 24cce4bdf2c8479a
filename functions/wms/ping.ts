import { definePing } from "../../shared/http/ping.ts";

export const { endpoint, handler } = definePing("wms", "/apirest/v4/wms/ping");
