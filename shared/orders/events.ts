import * as z from "zod/mini";
import { type EventKind, type PendingEvents, previousValues } from "../events/kind.ts";
import { itemsOfList, pendingEventsOf, recordVersionsIn } from "../events/record-kind.ts";
import { eventCatalog } from "../events/types.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { padded } from "../store/dynamodb/keys.ts";
import { getItem } from "../store/dynamodb/reads.ts";
import { orderList } from "../store/lists/definitions.ts";
import type { ItemChange } from "../streams/change.ts";
import type { Order } from "./order.ts";
import { changedIn, creationEntry, type HistoryEntry, historyOf } from "./order-history.ts";
import { orderWithHistory, presentOrderWithHistory } from "./order-view.ts";
import { historyPartition, storedHistory } from "./storage/order-history-repository.ts";
import { orderAsStored, recentOf } from "./storage/stored-order.ts";

const { subject } = eventCatalog.order;
const { table } = orderList;

/** What an order gets when it is shipped. */
const givenByShipment: ReadonlySet<string> = new Set(["tracking_number", "carrier"]);

/** The types of the events that a change makes. That an order has another picker is told by none. */
function typesOf(change: HistoryEntry): string[] {
  const { status, sub_status, weight, weight_updated_at, picks, picker: _picker, ...terms } = change;
  const to = status?.to;
  const isUpdated = changedIn(terms).some((name) => !(to === "Shipped" && givenByShipment.has(name)));
  return [
    ...(isUpdated ? ["order.updated"] : []),
    ...(status === undefined ? [] : ["order.status_changed"]),
    ...(sub_status === undefined ? [] : ["order.sub_status_changed"]),
    ...(weight === undefined && weight_updated_at === undefined ? [] : ["order.weighed"]),
    ...(picks === undefined || picks.added.length === 0 ? [] : ["order.picked"]),
    ...(to === "Shipped" ? ["order.shipped"] : []),
    ...(to === "Cancelled" ? ["order.cancelled"] : []),
  ];
}

/** Who made the present version of an order. The change rides in the order or lies beside it; see `order-storage.ts`. */
async function changedBy(db: Database, after: Order): Promise<string> {
  const riding = recentOf(after).at(-1);
  if (riding !== undefined) return riding.by;
  const key = { pk: historyPartition(after.order_id), sk: padded(after.version) };
  const item = await getItem(db, { table, key });
  return (item && z.parse(storedHistory, item).entries.at(-1)?.by) ?? "unknown";
}

const shown = (one: Order, entry: HistoryEntry) =>
  z.parse(orderWithHistory, presentOrderWithHistory(one, [entry]));

/** The part of a change's events that depends on what the order was before. */
async function happenedTo(db: Database, before: Order | undefined, after: Order) {
  if (before === undefined) {
    const entry = creationEntry(after);
    return {
      by: entry.by,
      happened: [{ type: "order.created", data: shown(after, entry), previous: null }],
    };
  }
  const by = await changedBy(db, after);
  const entry = historyOf(before, after, by);
  const data = shown(after, entry);
  const previous = previousValues(shown(before, entry), data);
  return { by, happened: typesOf(entry).map((type) => ({ type, data, previous })) };
}

const particulars = {
  subject,
  version: "2026-11-22",
  stored: orderAsStored,
  idOf: ({ order_id }: Order) => order_id,
};

async function told(db: Database, change: ItemChange): Promise<PendingEvents | undefined> {
  const records = recordVersionsIn(particulars, change);
  if (records === undefined) return undefined;
  const { by, happened } = await happenedTo(db, records.before, records.after);
  return pendingEventsOf(particulars, records.after, by, happened);
}

/** Orders. Of an order's history, an event shows the change that it tells of, and no other. */
export const orderEvents: EventKind = {
  ...eventCatalog.order,
  changesOf: itemsOfList(orderList),
  record: orderWithHistory,
  tell: (db, changes) => Promise.all(changes.map((change) => told(db, change))),
};
