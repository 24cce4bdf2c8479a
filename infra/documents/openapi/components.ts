/** The records that answers show, by the names that clients know them by. */

import type * as z from "zod/mini";
import { attributeRecord } from "../../../shared/attributes/attribute-view.ts";
import { aliasRecord } from "../../../shared/catalog/aliases/alias-view.ts";
import { productRecord } from "../../../shared/catalog/products/product-view.ts";
import { synsetInEvents } from "../../../shared/catalog/synsets/events.ts";
import { synsetRecord } from "../../../shared/catalog/synsets/synset-view.ts";
import { actionRecord } from "../../../shared/common/actions.ts";
import { event } from "../../../shared/events/event.ts";
import {
  putAwayRecord,
  replenishmentRecord,
  replenishmentWithActions,
  returnRecord,
  returnWithActions,
} from "../../../shared/inbound/inbound-view.ts";
import {
  orderWithActions,
  orderWithHistory,
  orderWithHistoryAndActions,
} from "../../../shared/orders/order-view.ts";
import { pickLog } from "../../../shared/picking/pick-log-view.ts";
import { pickList, shipment } from "../../../shared/picking/shipment-view.ts";
import { jobRecord } from "../../../shared/picking/warehouse-job-view.ts";
import { eventRecord, eventRecords } from "../../../shared/publishing/event-view.ts";
import { manufactureRecord } from "../../../shared/registries/manufacture/manufacture-view.ts";
import {
  distributionCenter,
  packageType,
  shippingMethod,
  storeEntry,
  supplier,
} from "../../../shared/registries/registry-repository.ts";
import { serialBatchRecord, serialRecord, serialsRecord } from "../../../shared/serials/serial-view.ts";
import { binEntry, inventoryEntry } from "../../../shared/stock/bins/bin-view.ts";
import { stockInEvents } from "../../../shared/stock/events.ts";
import { movementRecord } from "../../../shared/stock/movements/movement-view.ts";
import { acceptedEntry, correctionRecord } from "../../../shared/stock/recount/recount-view.ts";
import { kitStock, pastStock, productStock, stockRecord } from "../../../shared/stock/stock-view.ts";
import { deliveryRecord, webhookRecord, webhookWithSecret } from "../../../shared/webhooks/webhook-view.ts";

/** The name of the events whose types begin with a word: `OrderEvent`. */
export const eventComponent = (word: string): string =>
  `${word.charAt(0).toUpperCase()}${word.slice(1)}Event`;

const eventComponents = [...eventRecords].map(([word, schema]) => [eventComponent(word), schema] as const);

/** Each as in answers: if answers add fields to a record, with the step that adds them. */
export const components: ReadonlyMap<string, z.core.$ZodType> = new Map<string, z.core.$ZodType>([
  ["Alias", aliasRecord],
  ["Attribute", attributeRecord],
  ["Bin", binEntry],
  ["InventoryEntry", inventoryEntry],
  ["Replenishment", replenishmentWithActions],
  ["Return", returnWithActions],
  ["ManufactureOrder", manufactureRecord],
  ["Movement", movementRecord],
  ["Action", actionRecord],
  ["Order", orderWithActions],
  ["OrderWithHistory", orderWithHistoryAndActions],
  ["OrderInEvent", orderWithHistory],
  ["ReplenishmentInEvent", replenishmentRecord],
  ["ReturnInEvent", returnRecord],
  ["PickLog", pickLog],
  ["Product", productRecord],
  ["PutAway", putAwayRecord],
  ["Correction", correctionRecord],
  ["QueuedCorrection", acceptedEntry],
  ["Job", jobRecord],
  ["DistributionCenter", distributionCenter],
  ["PackageType", packageType],
  ["ShippingMethod", shippingMethod],
  ["Store", storeEntry],
  ["Supplier", supplier],
  ["SerialBatch", serialBatchRecord],
  ["Serial", serialRecord],
  ["NewSerials", serialsRecord],
  ["PickList", pickList],
  ["Shipment", shipment],
  ["Stock", stockRecord],
  ["ProductStock", productStock],
  ["KitStock", kitStock],
  ["PastStock", pastStock],
  ["Synset", synsetRecord],
  ["Webhook", webhookRecord],
  ["WebhookWithSecret", webhookWithSecret],
  ["Delivery", deliveryRecord],
  ["Event", event],
  ...eventComponents,
  ["StockInEvent", stockInEvents],
  ["SynsetInEvent", synsetInEvents],
]);

/**
 * Schemas that the document shows instead of a component that allows more than clients receive: an event is
 * returned as it was stored, in the shape of its kind.
 */
export const statedAs: ReadonlyMap<string, z.core.$ZodType> = new Map([["Event", eventRecord]]);

const ofEvents: ReadonlySet<string> = new Set(eventComponents.map(([id]) => id));

/** The component whose descriptions apply to the fields: the events of all kinds have the same fields. */
export const wordOf = (id: string): string => (ofEvents.has(id) ? "Event" : id);
