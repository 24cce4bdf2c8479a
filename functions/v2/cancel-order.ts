import { answeringAs } from "../../shared/http/answering-as.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { endpoint as cancelOrder } from "../oms/orders/cancel-order.ts";

export const endpoint = answeringAs(cancelOrder, "/apiv2/cancel_order");

export const handler = lambda(endpoint);
