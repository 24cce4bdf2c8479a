import { answeringAs } from "../../shared/http/answering-as.ts";
import { endpoint as cancelOrder } from "../oms/orders/cancel-order.ts";

export const { endpoint, handler } = answeringAs(cancelOrder, "/apiv2/cancel_order");
