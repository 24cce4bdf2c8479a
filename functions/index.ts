import type { FunctionContract } from "../shared/contract.ts";
import { worker as applyRecount } from "./jobs/apply-recount.ts";
import { schedule as sweepJobs } from "./jobs/sweep-jobs.ts";
import { fallback as notFound } from "./not-found.ts";
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
import { endpoint as addOrdersV2 } from "./v2/add-orders.ts";
import { endpoint as cancelOrderV2 } from "./v2/cancel-order.ts";
import { endpoint as getOrdersV2 } from "./v2/get-orders.ts";
import { endpoint as getProductsV2 } from "./v2/get-products.ts";
import { endpoint as getStockV2 } from "./v2/get-stock.ts";
import { endpoint as mobileLogin } from "./v2/mobile/login.ts";
import { endpoint as mobileLogout } from "./v2/mobile/logout.ts";
import { endpoint as mobileVerifyCode } from "./v2/mobile/verify-code.ts";
import { endpoint as pingV2 } from "./v2/ping.ts";
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
  "wms/ping": pingWms,
  "wms/recount": recount,
  "wms/get-correction": getCorrection,
  "wms/list-product-bins": listProductBins,
  "v2/ping": pingV2,
  "v2/get-orders": getOrdersV2,
  "v2/add-orders": addOrdersV2,
  "v2/cancel-order": cancelOrderV2,
  "v2/get-products": getProductsV2,
  "v2/get-stock": getStockV2,
  "v2/mobile/login": mobileLogin,
  "v2/mobile/verify-code": mobileVerifyCode,
  "v2/mobile/logout": mobileLogout,
  "jobs/apply-recount": applyRecount,
  "jobs/sweep-jobs": sweepJobs,
};
