import type { FunctionContract } from "../shared/lambda/contract.ts";
import { diagnostic as probePermissions } from "./diagnostics/probe-permissions.ts";
import { stream as publishEvents } from "./events/publish-events.ts";
import { stream as totalMovements } from "./events/total-movements.ts";
import { probe as health } from "./health.ts";
import { worker as applyRecount } from "./jobs/apply-recount.ts";
import { worker as applyRevert } from "./jobs/apply-revert.ts";
import { worker as applyWeight } from "./jobs/apply-weight.ts";
import { schedule as resumeSagas } from "./jobs/resume-sagas.ts";
import { schedule as rollUpCounters } from "./jobs/roll-up-counters.ts";
import { worker as sendWebhooks } from "./jobs/send-webhooks.ts";
import { schedule as sweepJobs } from "./jobs/sweep-jobs.ts";
import { schedule as wakeWebhooks } from "./jobs/wake-webhooks.ts";
import { fallback as notFound } from "./not-found.ts";
import { endpoint as createAttributes } from "./oms/attributes/create-attributes.ts";
import { endpoint as deleteAttribute } from "./oms/attributes/delete-attribute.ts";
import { endpoint as listAttributes } from "./oms/attributes/list-attributes.ts";
import { endpoint as patchAttributes } from "./oms/attributes/patch-attributes.ts";
import { endpoint as getDistributionCenter } from "./oms/distribution-centers/get-distribution-center.ts";
import { endpoint as listDistributionCenters } from "./oms/distribution-centers/list-distribution-centers.ts";
import { page as docsOms } from "./oms/docs.ts";
import { endpoint as listEvents } from "./oms/events/list-events.ts";
import { page as docsInternal } from "./oms/internal/docs.ts";
import { endpoint as createAliases } from "./oms/inventory/aliases/create-aliases.ts";
import { endpoint as getAlias } from "./oms/inventory/aliases/get-alias.ts";
import { endpoint as listAliases } from "./oms/inventory/aliases/list-aliases.ts";
import { endpoint as patchAliases } from "./oms/inventory/aliases/patch-aliases.ts";
import { endpoint as createHolds } from "./oms/inventory/holds/create-holds.ts";
import { endpoint as deleteHold } from "./oms/inventory/holds/delete-hold.ts";
import { endpoint as getHold } from "./oms/inventory/holds/get-hold.ts";
import { endpoint as listHolds } from "./oms/inventory/holds/list-holds.ts";
import { endpoint as createProducts } from "./oms/inventory/products/create-products.ts";
import { endpoint as getProduct } from "./oms/inventory/products/get-product.ts";
import { endpoint as listProducts } from "./oms/inventory/products/list-products.ts";
import { endpoint as listUnitsOfMeasure } from "./oms/inventory/products/list-units-of-measure.ts";
import { endpoint as patchProducts } from "./oms/inventory/products/patch-products.ts";
import { endpoint as createReplenishments } from "./oms/inventory/replenishments/create-replenishments.ts";
import { endpoint as getReplenishment } from "./oms/inventory/replenishments/get-replenishment.ts";
import { endpoint as listReplenishments } from "./oms/inventory/replenishments/list-replenishments.ts";
import { endpoint as patchReplenishments } from "./oms/inventory/replenishments/patch-replenishments.ts";
import { endpoint as createReturns } from "./oms/inventory/returns/create-returns.ts";
import { endpoint as getReturn } from "./oms/inventory/returns/get-return.ts";
import { endpoint as listReturns } from "./oms/inventory/returns/list-returns.ts";
import { endpoint as listMovements } from "./oms/inventory/stock/list-movements.ts";
import { endpoint as listStock } from "./oms/inventory/stock/list-stock.ts";
import { endpoint as createSynsets } from "./oms/inventory/synsets/create-synsets.ts";
import { endpoint as getSynset } from "./oms/inventory/synsets/get-synset.ts";
import { endpoint as listSynsets } from "./oms/inventory/synsets/list-synsets.ts";
import { endpoint as patchSynsets } from "./oms/inventory/synsets/patch-synsets.ts";
import { endpoint as getManufactureOrder } from "./oms/manufacture/get-manufacture-order.ts";
import { endpoint as listManufactureOrders } from "./oms/manufacture/list-manufacture-orders.ts";
import { endpoint as cancelOrder } from "./oms/orders/cancel-order.ts";
import { endpoint as cancelOrders } from "./oms/orders/cancel-orders.ts";
import { endpoint as createOrders } from "./oms/orders/create-orders.ts";
import { endpoint as getOrder } from "./oms/orders/get-order.ts";
import { endpoint as listOrders } from "./oms/orders/list-orders.ts";
import { endpoint as setSubStatus } from "./oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "./oms/orders/update-orders.ts";
import { endpoint as pingOms } from "./oms/ping.ts";
import { endpoint as listPackageTypes } from "./oms/registries/list-package-types.ts";
import { endpoint as listShippingMethods } from "./oms/registries/list-shipping-methods.ts";
import { endpoint as listStores } from "./oms/registries/list-stores.ts";
import { endpoint as listSuppliers } from "./oms/registries/list-suppliers.ts";
import { endpoint as createSerials } from "./oms/serials/create-serials.ts";
import { endpoint as getSerial } from "./oms/serials/get-serial.ts";
import { endpoint as listSerials } from "./oms/serials/list-serials.ts";
import { endpoint as setSerialAttributes } from "./oms/serials/set-serial-attributes.ts";
import { endpoint as simulateOrder } from "./oms/simulations/simulate-order.ts";
import { endpoint as createWebhook } from "./oms/webhooks/create-webhook.ts";
import { endpoint as deleteWebhook } from "./oms/webhooks/delete-webhook.ts";
import { endpoint as getWebhook } from "./oms/webhooks/get-webhook.ts";
import { endpoint as listDeliveries } from "./oms/webhooks/list-deliveries.ts";
import { endpoint as listWebhooks } from "./oms/webhooks/list-webhooks.ts";
import { endpoint as patchWebhook } from "./oms/webhooks/patch-webhook.ts";
import { endpoint as replayEvents } from "./oms/webhooks/replay-events.ts";
import { endpoint as resendDelivery } from "./oms/webhooks/resend-delivery.ts";
import { endpoint as rotateSecret } from "./oms/webhooks/rotate-secret.ts";
import { endpoint as testWebhook } from "./oms/webhooks/test-webhook.ts";
import { endpoint as addOrdersV2 } from "./v2/add-orders.ts";
import { endpoint as cancelOrderV2 } from "./v2/cancel-order.ts";
import { endpoint as getOrdersV2 } from "./v2/get-orders.ts";
import { endpoint as getProductsV2 } from "./v2/get-products.ts";
import { endpoint as getStockV2 } from "./v2/get-stock.ts";
import { endpoint as checkShippings } from "./v2/mobile/check-shippings.ts";
import { endpoint as getOrdersToPick } from "./v2/mobile/get-orders-to-pick.ts";
import { endpoint as mobileLogin } from "./v2/mobile/login.ts";
import { endpoint as mobileLogout } from "./v2/mobile/logout.ts";
import { endpoint as moveGoods } from "./v2/mobile/move-goods.ts";
import { endpoint as updatePickLog } from "./v2/mobile/update-pick-log.ts";
import { endpoint as mobileVerifyCode } from "./v2/mobile/verify-code.ts";
import { page as openapiV2 } from "./v2/openapi.ts";
import { endpoint as pingV2 } from "./v2/ping.ts";
import { endpoint as inventoryListPro } from "./v2/pro/inventory-list.ts";
import { endpoint as putAwayLoad } from "./v2/pro/put-away-load.ts";
import { endpoint as putAwayMove } from "./v2/pro/put-away-move.ts";
import { page as docsWms } from "./wms/docs.ts";
import { endpoint as getCorrection } from "./wms/get-correction.ts";
import { endpoint as getJob } from "./wms/get-job.ts";
import { endpoint as listLocations } from "./wms/list-locations.ts";
import { endpoint as listProductBins } from "./wms/list-product-bins.ts";
import { endpoint as pingWms } from "./wms/ping.ts";
import { endpoint as recount } from "./wms/recount.ts";
import { endpoint as revertShipments } from "./wms/revert-shipments.ts";
import { endpoint as updateWeight } from "./wms/update-weight.ts";

/**
 * Everything that the outside can call, and every job, by module. The key is the path of a file below this
 * folder. The file's export `handler` is the Lambda entry point. Routes, functions, grants, bundles and tests
 * derive from this list.
 */
export const functions: Readonly<Record<string, FunctionContract>> = {
  "not-found": notFound,
  health,
  "oms/ping": pingOms,
  "oms/orders/create-orders": createOrders,
  "oms/orders/list-orders": listOrders,
  "oms/orders/get-order": getOrder,
  "oms/orders/update-orders": updateOrders,
  "oms/orders/cancel-order": cancelOrder,
  "oms/orders/cancel-orders": cancelOrders,
  "oms/orders/set-sub-status": setSubStatus,
  "oms/simulations/simulate-order": simulateOrder,
  "oms/inventory/products/create-products": createProducts,
  "oms/inventory/products/patch-products": patchProducts,
  "oms/inventory/products/list-products": listProducts,
  "oms/inventory/products/get-product": getProduct,
  "oms/inventory/products/list-units-of-measure": listUnitsOfMeasure,
  "oms/inventory/replenishments/create-replenishments": createReplenishments,
  "oms/inventory/replenishments/list-replenishments": listReplenishments,
  "oms/inventory/replenishments/patch-replenishments": patchReplenishments,
  "oms/inventory/replenishments/get-replenishment": getReplenishment,
  "oms/inventory/returns/create-returns": createReturns,
  "oms/inventory/returns/list-returns": listReturns,
  "oms/inventory/returns/get-return": getReturn,
  "oms/inventory/stock/list-stock": listStock,
  "oms/inventory/stock/list-movements": listMovements,
  "oms/inventory/holds/create-holds": createHolds,
  "oms/inventory/holds/list-holds": listHolds,
  "oms/inventory/holds/get-hold": getHold,
  "oms/inventory/holds/delete-hold": deleteHold,
  "oms/distribution-centers/list-distribution-centers": listDistributionCenters,
  "oms/distribution-centers/get-distribution-center": getDistributionCenter,
  "oms/registries/list-shipping-methods": listShippingMethods,
  "oms/registries/list-stores": listStores,
  "oms/registries/list-suppliers": listSuppliers,
  "oms/registries/list-package-types": listPackageTypes,
  "oms/manufacture/list-manufacture-orders": listManufactureOrders,
  "oms/manufacture/get-manufacture-order": getManufactureOrder,
  "oms/serials/create-serials": createSerials,
  "oms/serials/set-serial-attributes": setSerialAttributes,
  "oms/serials/list-serials": listSerials,
  "oms/serials/get-serial": getSerial,
  "oms/attributes/list-attributes": listAttributes,
  "oms/attributes/create-attributes": createAttributes,
  "oms/attributes/patch-attributes": patchAttributes,
  "oms/attributes/delete-attribute": deleteAttribute,
  "oms/inventory/synsets/create-synsets": createSynsets,
  "oms/inventory/synsets/patch-synsets": patchSynsets,
  "oms/inventory/synsets/list-synsets": listSynsets,
  "oms/inventory/synsets/get-synset": getSynset,
  "oms/inventory/aliases/create-aliases": createAliases,
  "oms/inventory/aliases/patch-aliases": patchAliases,
  "oms/inventory/aliases/list-aliases": listAliases,
  "oms/inventory/aliases/get-alias": getAlias,
  "oms/events/list-events": listEvents,
  "oms/webhooks/create-webhook": createWebhook,
  "oms/webhooks/list-webhooks": listWebhooks,
  "oms/webhooks/get-webhook": getWebhook,
  "oms/webhooks/patch-webhook": patchWebhook,
  "oms/webhooks/delete-webhook": deleteWebhook,
  "oms/webhooks/rotate-secret": rotateSecret,
  "oms/webhooks/test-webhook": testWebhook,
  "oms/webhooks/replay-events": replayEvents,
  "oms/webhooks/list-deliveries": listDeliveries,
  "oms/webhooks/resend-delivery": resendDelivery,
  "wms/ping": pingWms,
  "wms/recount": recount,
  "wms/get-correction": getCorrection,
  "wms/get-job": getJob,
  "wms/list-product-bins": listProductBins,
  "wms/list-locations": listLocations,
  "wms/update-weight": updateWeight,
  "wms/revert-shipments": revertShipments,
  "v2/ping": pingV2,
  "v2/get-orders": getOrdersV2,
  "v2/add-orders": addOrdersV2,
  "v2/cancel-order": cancelOrderV2,
  "v2/get-products": getProductsV2,
  "v2/get-stock": getStockV2,
  "v2/mobile/login": mobileLogin,
  "v2/mobile/verify-code": mobileVerifyCode,
  "v2/mobile/logout": mobileLogout,
  "v2/mobile/get-orders-to-pick": getOrdersToPick,
  "v2/mobile/check-shippings": checkShippings,
  "v2/mobile/update-pick-log": updatePickLog,
  "v2/mobile/move-goods": moveGoods,
  "v2/pro/inventory-list": inventoryListPro,
  "v2/pro/put-away-load": putAwayLoad,
  "v2/pro/put-away-move": putAwayMove,
  "oms/docs": docsOms,
  "oms/internal/docs": docsInternal,
  "wms/docs": docsWms,
  "v2/openapi": openapiV2,
  "events/publish-events": publishEvents,
  "events/total-movements": totalMovements,
  "jobs/apply-recount": applyRecount,
  "jobs/apply-revert": applyRevert,
  "jobs/apply-weight": applyWeight,
  "jobs/send-webhooks": sendWebhooks,
  "jobs/wake-webhooks": wakeWebhooks,
  "jobs/resume-sagas": resumeSagas,
  "jobs/sweep-jobs": sweepJobs,
  "jobs/roll-up-counters": rollUpCounters,
  "diagnostics/probe-permissions": probePermissions,
};
