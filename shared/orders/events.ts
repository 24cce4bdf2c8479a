import * as z from "zod/mini";
import {
  type EventKind,
  itemsOfList,
  type PendingEvents,
  pendingEventsOf,
  previousValues,
  recordVersionsIn,
} from "../events/kind.ts";
import { type EventType, eventCatalog } from "../events/types.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { padded } from "../store/dynamodb/keys.ts";
import { getItem } from "../store/dynamodb/reads.ts";
import type { ItemChange } from "../streams/change.ts";
import type { Order } from "./order.ts";
import { changedIn, creationEntry, type HistoryEntry, historyOf } from "./order-history.ts";
import { orderWithHistory, presentOrderWithHistory } from "./order-view.ts";
import { historyPartition, storedHistory } from "./storage/order-history-repository.ts";
import { orderList } from "./storage/order-repository.ts";
import { orderAsStored, type PackedOrder } from "./storage/stored-order.ts";

const { subject } = eventCatalog.order;
const { table } = orderList;

const setByShipment: ReadonlySet<string> = new Set(["tracking_number", "carrier"]);

/** The types of the events that a change emits: at least one. A change of only the picker is an update. */
function typesOf(change: HistoryEntry): readonly EventType[] {
  const { status, sub_status, weight, weight_updated_at, picks, picker: _picker, ...terms } = change;
  const to = status?.to;
  const isUpdated = changedIn(terms).some((name) => !(to === "Shipped" && setByShipment.has(name)));
  const types: readonly (readonly [EventType, boolean])[] = [
    ["order.updated", isUpdated],
    ["order.status_changed", status !== undefined],
    ["order.sub_status_changed", sub_status !== undefined],
    ["order.weighed", weight !== undefined || weight_updated_at !== undefined],
    ["order.picked", picks !== undefined && picks.added.length > 0],
    ["order.shipped", to === "Shipped"],
    ["order.cancelled", to === "Cancelled"],
  ];
  const emitted = types.filter(([, isEmitted]) => isEmitted).map(([type]) => type);
  return emitted.length > 0 ? emitted : ["order.updated"];
}

/** Who made the current version of an order. Its history entry is part of the order or an item of its own. */
async function changedBy(db: Database, { record: after, recent }: PackedOrder): Promise<string> {
  const latest = recent.at(-1);
  if (latest !== undefined) return latest.by;
  const key = { pk: historyPartition(after.order_id), sk: padded(after.version) };
  const item = await getItem(db, { table, key });
  return (item && z.parse(storedHistory, item).entries.at(-1)?.by) ?? "unknown";
}

const presentVersion = (order: Order, entry: HistoryEntry) =>
  z.parse(orderWithHistory, presentOrderWithHistory(order, [entry]));

const kind = {
  subject,
  version: "2026-11-22",
  idOf: ({ order_id }: Order) => order_id,
};

async function emit(db: Database, change: ItemChange): Promise<PendingEvents | undefined> {
  const versions = recordVersionsIn(orderAsStored, ({ record }) => record.version, change);
  if (versions === undefined) return undefined;
  const { request_id } = versions;
  const before = versions.before?.record;
  const { record: after } = versions.after;
  if (before === undefined) {
    const entry = creationEntry(after);
    const created = { type: "order.created", data: presentVersion(after, entry), previous: null } as const;
    return pendingEventsOf(kind, after, { by: entry.by, request_id }, [created]);
  }
  const by = await changedBy(db, versions.after);
  const entry = historyOf(before, after, by);
  const data = presentVersion(after, entry);
  // The event of an erasure must not repeat the erased values.
  const shownBefore =
    after.customer.erased_at === undefined ? before : { ...before, customer: after.customer };
  const previous = previousValues(presentVersion(shownBefore, entry), data);
  const drafts = typesOf(entry).map((type) => ({ type, data, previous }));
  return pendingEventsOf(kind, after, { by, request_id }, drafts);
}

/** Orders. An event shows only the history entry of its own change. */
export const orderEvents: EventKind = {
  ...eventCatalog.order,
  changesOf: itemsOfList(orderList),
  record: orderWithHistory,
  emit: (db, changes) => Promise.all(changes.map((change) => emit(db, change))),
};
