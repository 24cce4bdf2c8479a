import { definePing } from "../../shared/http/ping.ts";

export const { endpoint, handler } = definePing("oms", "/apirest/v4/oms/ping");
