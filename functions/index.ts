import type { FunctionContract } from "../shared/contract.ts";
import { worker as applyRecount } from "./jobs/apply-recount.ts";
import { schedule as sweepJobs } from "./jobs/sweep-jobs.ts";
import { fallback as notFound } from "./not-found.ts";
import { endpoint as createAliases } from "./oms/inventory/aliases/create-aliases.ts";
import { endpoint as getAlias } from "./oms/inventory/aliases/get-alias.ts";
import { endpoint as listAliases } from "./oms/inventory/aliases/list-aliases.ts";
import { endpoint as patchAliases } from "./oms/inventory/aliases/patch-aliases.ts";
import { endpoint as createProducts } from "./oms/inventory/products/create-products.ts";
import { endpoint as getProduct } from "./oms/inventory/products/get-product.ts";
import { endpoint as listProducts } from "./oms/inventory/products/list-products.ts";
import { endpoint as listUnitsOfMeasure } from "./oms/inventory/products/list-units-of-measure.ts";
import { endpoint as patchProducts } from "./oms/inventory/products/patch-products.ts";
import { endpoint as listStock } from "./oms/inventory/stock/list-stock.ts";
import { endpoint as cancelOrder } from "./oms/orders/cancel-order.ts";
import { endpoint as cancelOrders } from "./oms/orders/cancel-orders.ts";
import { endpoint as createOrders } from "./oms/orders/create-orders.ts";
import { endpoint as getOrder } from "./oms/orders/get-order.ts";
import { endpoint as listOrders } from "./oms/orders/list-orders.ts";
import { endpoint as setSubStatus } from "./oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "./oms/orders/update-orders.ts";
import { endpoint as pingOms } from "./oms/ping.ts";
import { endpoint as getCorrection } from "./wms/get-correction.ts";
import { endpoint as listProductBins } from "./wms/list-product-bins.ts";
import { endpoint as pingWms } from "./wms/ping.ts";
import { endpoint as recount } from "./wms/recount.ts";

/**
 * Everything the outside can call and every job, by module: the key is the file below this folder, whose export
 * `handler` is the Lambda entry point. Routes, functions, grants, bundles and tests derive from this list.
 */
export const functions: Readonly<Record<string, FunctionContract>> = {
  "not-found": notFound,
  "oms/ping": pingOms,
  "oms/orders/create-orders": createOrders,
  "oms/orders/list-orders": listOrders,
  "oms/orders/get-order": getOrder,
  "oms/orders/update-orders": updateOrders,
  "oms/orders/cancel-order": cancelOrder,
  "oms/orders/cancel-orders": cancelOrders,
  "oms/orders/set-sub-status": setSubStatus,
  "oms/inventory/products/create-products": createProducts,
  "oms/inventory/products/patch-products": patchProducts,
  "oms/inventory/products/list-products": listProducts,
  "oms/inventory/products/get-product": getProduct,
  "oms/inventory/products/list-units-of-measure": listUnitsOfMeasure,
  "oms/inventory/stock/list-stock": listStock,
  "oms/inventory/aliases/create-aliases": createAliases,
  "oms/inventory/aliases/patch-aliases": patchAliases,
  "oms/inventory/aliases/list-aliases": listAliases,
  "oms/inventory/aliases/get-alias": getAlias,
  "wms/ping": pingWms,
  "wms/recount": recount,
  "wms/get-correction": getCorrection,
  "wms/list-product-bins": listProductBins,
  "jobs/apply-recount": applyRecount,
  "jobs/sweep-jobs": sweepJobs,
};
