import { listingAs } from "../../shared/http/answering-as.ts";
import { endpoint as listStock } from "../oms/inventory/stock/list-stock.ts";

export const { endpoint, handler } = listingAs(listStock, "/apiv2/get_stock");
