import { listingAs } from "../../shared/http/answering-as.ts";
import { endpoint as listOrders } from "../oms/orders/list-orders.ts";

export const { endpoint, handler } = listingAs(listOrders, "/apiv2/get_orders");
