import { answeringAs } from "../../shared/http/answering-as.ts";
import { endpoint as createOrders } from "../oms/orders/create-orders.ts";

export const { endpoint, handler } = answeringAs(createOrders, "/apiv2/add_orders");
