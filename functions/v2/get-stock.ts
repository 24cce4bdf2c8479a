import { listingAs } from "../../shared/http/answering-as.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { endpoint as listStock } from "../oms/inventory/stock/list-stock.ts";

export const endpoint = listingAs(listStock, "/apiv2/get_stock");

export const handler = lambda(endpoint);
