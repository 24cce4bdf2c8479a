import { definePing } from "../../shared/http/ping.ts";

export const endpoint = definePing("oms", "/apirest/v4/oms/ping");
