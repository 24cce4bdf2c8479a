import { listingAs } from "../../shared/http/answering-as.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { endpoint as listProducts } from "../oms/inventory/products/list-products.ts";

export const endpoint = listingAs(listProducts, "/apiv2/get_products");

export const handler = lambda(endpoint);
