import { answeringAs } from "../../shared/http/answering-as.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { endpoint as createOrders } from "../oms/orders/create-orders.ts";

export const endpoint = answeringAs(createOrders, "/apiv2/add_orders");

export const handler = lambda(endpoint);
