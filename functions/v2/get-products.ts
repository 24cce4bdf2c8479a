import { listingAs } from "../../shared/http/answering-as.ts";
import { endpoint as listProducts } from "../oms/inventory/products/list-products.ts";

export const { endpoint, handler } = listingAs(listProducts, "/apiv2/get_products");
