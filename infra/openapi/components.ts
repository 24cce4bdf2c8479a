/** The records that answers show, by the names that clients know them by. */
import type * as z from "zod/mini";
import {
  distributionCenter,
  packageType,
  shippingMethod,
  store,
  supplier,
} from "../../shared/data/registries.ts";
import { event } from "../../shared/domain/events/event.ts";
import { stockInEvents } from "../../shared/events/kinds/stock.ts";
import { synsetInEvents } from "../../shared/events/kinds/synset.ts";
import { eventRecord, eventRecords } from "../../shared/events/record.ts";
import { aliasRecord } from "../../shared/http/records/alias.ts";
import { attributeRecord } from "../../shared/http/records/attribute.ts";
import { binEntry, inventoryEntry } from "../../shared/http/records/bin.ts";
import { deliveryRecord } from "../../shared/http/records/delivery.ts";
import { replenishmentRecord, returnRecord } from "../../shared/http/records/inbound.ts";
import { jobRecord } from "../../shared/http/records/job.ts";
import { manufactureRecord } from "../../shared/http/records/manufacture.ts";
import { movementRecord } from "../../shared/http/records/movement.ts";
import { orderRecord, orderWithHistory } from "../../shared/http/records/order.ts";
import { pickLog } from "../../shared/http/records/pick-log.ts";
import { productRecord } from "../../shared/http/records/product.ts";
import { putAwayRecord } from "../../shared/http/records/put-away.ts";
import { acceptedEntry, correctionRecord } from "../../shared/http/records/recount.ts";
import { serialBatchRecord, serialRecord, serialsRecord } from "../../shared/http/records/serial.ts";
import { pickList, shipment } from "../../shared/http/records/shipment.ts";
import { stockRecord } from "../../shared/http/records/stock.ts";
import { synsetRecord } from "../../shared/http/records/synset.ts";
import { webhookRecord, webhookWithSecret } from "../../shared/http/records/webhook.ts";

/** The name of the events whose types begin with a word: `OrderEvent`. */
export const eventComponent = (word: string): string =>
  `${word.charAt(0).toUpperCase()}${word.slice(1)}Event`;

const eventComponents = [...eventRecords].map(([word, schema]) => [eventComponent(word), schema] as const);

export const components: ReadonlyMap<string, z.core.$ZodType> = new Map<string, z.core.$ZodType>([
  ["Alias", aliasRecord],
  ["Attribute", attributeRecord],
  ["Bin", binEntry],
  ["InventoryEntry", inventoryEntry],
  ["Replenishment", replenishmentRecord],
  ["Return", returnRecord],
  ["ManufactureOrder", manufactureRecord],
  ["Movement", movementRecord],
  ["Order", orderRecord],
  ["OrderWithHistory", orderWithHistory],
  ["PickLog", pickLog],
  ["Product", productRecord],
  ["PutAway", putAwayRecord],
  ["Correction", correctionRecord],
  ["QueuedCorrection", acceptedEntry],
  ["Job", jobRecord],
  ["DistributionCenter", distributionCenter],
  ["PackageType", packageType],
  ["ShippingMethod", shippingMethod],
  ["Store", store],
  ["Supplier", supplier],
  ["SerialBatch", serialBatchRecord],
  ["Serial", serialRecord],
  ["NewSerials", serialsRecord],
  ["PickList", pickList],
  ["Shipment", shipment],
  ["Stock", stockRecord],
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
 * What stands in the document for a component, where a schema allows more than clients meet: an event is answered as it was
 * stored, which was in the shape of its kind.
 */
export const statedAs: ReadonlyMap<string, z.core.$ZodType> = new Map([["Event", eventRecord]]);

const ofEvents: ReadonlySet<string> = new Set(eventComponents.map(([id]) => id));

/** What the fields of a component are explained as: the events of all kinds have the same fields. */
export const wordOf = (id: string): string => (ofEvents.has(id) ? "Event" : id);
