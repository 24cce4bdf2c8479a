import { definePing } from "../../shared/http/ping.ts";

export const { endpoint, handler } = definePing("v2", "/apiv2/ping");
