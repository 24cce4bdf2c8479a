import { type Event, matchesType } from "../../events/event.ts";
import { findEvent, readEvents } from "../../events/feed-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import type { Removal } from "../../store/dynamodb/writes.ts";
import { type Delivery, newDelivery } from "../delivery.ts";
import { newDeliveryId, readWaiting } from "../delivery-repository.ts";
import type { WebhookState } from "../webhook-repository.ts";
import type { AttemptKind } from "./health.ts";

/** One event to post. */
export interface Attempt {
  readonly delivery: Delivery;
  /** Undefined where the event is not kept any more. */
  readonly event: Event | undefined;
  readonly occasion: AttemptKind;
}

/** What a sender does next for a webhook. */
export interface DispatchBatch {
  readonly tasks: readonly Attempt[];
  /** The sequence up to which events are handed over once this is done. */
  readonly cursor: number;
  /** What is left of deliveries that are forgotten. */
  readonly orphans: readonly Removal[];
  /** Whether nothing else was left to send. Of a webhook that is probed nobody knows: new events do not touch it. */
  readonly isAll: boolean;
}

/** Posts to one receiver at a time. */
const maxBatchSize = 10;

/** Chunks of the feed that are read together for so few events. */
const fewChunks = 2;

/** How many of them may be deliveries that failed before. So these do not hold up what happens anew. */
const maxRetries = 5;

/**
 * Reads what is to be sent now: what was asked for; deliveries that are due; and the next events, as many as there is room
 * for. While a receiver is probed these are one of each: should one event be what it can't take, the other tells so.
 */
export async function selectBatch(db: Database, found: WebhookState, now: string): Promise<DispatchBatch> {
  const { webhook, progress } = found;
  const id = webhook.webhook_id;
  const isProbed = progress.probe_at !== null;
  const isHeld = !webhook.active || (progress.probe_at ?? "") > now;
  const again = isProbed ? { most: 1 } : { most: maxRetries, dueBy: now };
  const waiting = await readWaiting(db, id, { asked: maxBatchSize, ...(isHeld ? {} : { again }) });
  const [askedTasks, dueTasks] = await Promise.all([
    tasksOf(db, webhook.account_id, waiting.asked, "asked"),
    tasksOf(db, webhook.account_id, waiting.again, "again"),
  ]);
  const room = isProbed ? 1 : maxBatchSize - askedTasks.length - dueTasks.length;
  const isRead = !isHeld && room > 0;
  const { cursor } = progress;
  const fresh = isRead ? await readFresh(db, found, room, now) : { tasks: [], cursor, isEnd: false };
  return {
    tasks: [...askedTasks, ...dueTasks, ...fresh.tasks],
    cursor: fresh.cursor,
    orphans: waiting.orphans,
    isAll: !isProbed && waiting.isAll && fresh.isEnd,
  };
}

/** The next events of the feed that the webhook wants. */
async function readFresh(db: Database, { webhook, progress }: WebhookState, limit: number, now: string) {
  const { account_id, webhook_id, types } = webhook;
  const isWanted = ({ type }: Event) => matchesType(types, type);
  const request = { after: progress.cursor, limit, isWanted };
  const { events, examined, isEnd } = await readEvents(db, account_id, request, fewChunks);
  const tasks = events.map((event, position): Attempt => {
    const delivery_id = newDeliveryId(now, position);
    const delivery = newDelivery({ webhook_id, delivery_id, event, cause: "event" }, now);
    return { delivery, event, occasion: "first" };
  });
  return { tasks, cursor: examined, isEnd };
}

const tasksOf = (
  db: Database,
  accountId: number,
  deliveries: readonly Delivery[],
  occasion: AttemptKind,
): Promise<readonly Attempt[]> =>
  Promise.all(
    deliveries.map(async (delivery) => ({
      delivery,
      event: await eventOfDelivery(db, accountId, delivery),
      occasion,
    })),
  );

/** The event of a delivery; undefined where it is not kept any more. */
export async function eventOfDelivery(
  db: Database,
  accountId: number,
  { content, sequence, event_id }: Delivery,
): Promise<Event | undefined> {
  if (content !== undefined) return content;
  const event = await findEvent(db, accountId, sequence);
  return event?.id === event_id ? event : undefined;
}
