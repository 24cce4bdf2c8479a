import { listingAs } from "../../shared/http/answering-as.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { endpoint as listOrders } from "../oms/orders/list-orders.ts";

export const endpoint = listingAs(listOrders, "/apiv2/get_orders");

export const handler = lambda(endpoint);
