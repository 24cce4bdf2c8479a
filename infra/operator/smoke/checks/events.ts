/**
 * What a smoke test asks of events: the account's feed, a receiver of webhooks, and the sweeper of lost
 * messages.
 */
import * as z from "zod/mini";
import { type Inbox, openInbox } from "../inbox.ts";
import { type Run, storeOf, untilApplied } from "../run.ts";
import { eventually, NotChecked } from "../steps.ts";
import { acceptUnsent } from "./unsent-jobs.ts";

const webhooks = "/apirest/v4/oms/webhooks";

/** Seconds within which events are published and delivered. */
const eventSeconds = 60;

/** The events of an order that was claimed, picked, weighed and shipped, in their order. */
const expectedTypes = [
  "order.created",
  "order.status_changed",
  "order.picked",
  "order.weighed",
  "order.status_changed",
  "order.shipped",
];

const feed = z.object({
  data: z.array(
    z.object({
      sequence: z.int(),
      type: z.string(),
      subject: z.object({ kind: z.string(), id: z.string() }),
    }),
  ),
});

/** Verifies that the feed has the order's events in their order, and that its numbers have no gap. */
export async function expectEvents(run: Run, orderId: number): Promise<void> {
  let types: readonly string[] = [];
  const look = async (): Promise<true | undefined> => {
    const { data } = await storeOf(run).call(feed, {
      method: "GET",
      path: "/apirest/v4/oms/events?limit=100&wait=5",
    });
    const gap = data.findIndex(({ sequence }, position) => sequence !== position + 1);
    if (gap >= 0) throw new Error(`expected the event ${gap + 1} but found ${data[gap]?.sequence}`);
    types = data.flatMap(({ type, subject: { kind, id } }) =>
      kind === "order" && id === String(orderId) ? [type] : [],
    );
    return types.includes("order.shipped") ? true : undefined;
  };
  await eventually(`the feed has the shipment of order ${orderId}`, eventSeconds, look);
  // The lost message of the sweeper's step may have the order weighed once more.
  const found = types.slice(0, expectedTypes.length);
  if (found.join() !== expectedTypes.join())
    throw new Error(`expected ${expectedTypes.join(", ")} but found ${found.join(", ")}`);
}

/** Where a webhook leads to. */
export interface ReceiverOptions {
  /** The URL that the service posts to; undefined for the listener's own. */
  readonly url: string | undefined;
  /** The port of this machine at which the test itself receives, if it does. */
  readonly port: number | undefined;
}

/** A webhook of the account, and what this machine received of it. */
export interface RegisteredWebhook {
  readonly webhookId: number;
  /** Undefined if the test does not receive itself. */
  readonly inbox: Inbox | undefined;
}

const created = z.object({ data: z.object({ webhook_id: z.int(), secret: z.string() }) });

/** Registers a webhook for the account's orders, and begins to receive if a port is given. */
export async function registerWebhook(run: Run, { url, port }: ReceiverOptions): Promise<RegisteredWebhook> {
  const inbox = port === undefined ? undefined : await openInbox(port);
  try {
    const { data } = await storeOf(run).call(created, {
      path: webhooks,
      body: { data: { url: url ?? `${inbox?.origin}/`, types: ["order.*"] } },
    });
    inbox?.expectSignedBy(data.secret);
    return { webhookId: data.webhook_id, inbox };
  } catch (error) {
    await inbox?.close();
    throw error;
  }
}

const deliveries = z.object({
  data: z.array(z.object({ event_type: z.string(), status: z.string(), error: z.nullable(z.string()) })),
});

/**
 * Verifies that the receiver took the event of the shipment, and that what this machine received of it is
 * signed.
 */
export async function expectDelivery(run: Run, webhook: RegisteredWebhook | undefined): Promise<void> {
  if (webhook === undefined) throw new NotChecked("no receiver was named: add --listen or --receiver");
  const path = `${webhooks}/${webhook.webhookId}/deliveries?limit=100`;
  let error: string | null = null;
  const look = async (): Promise<true | undefined> => {
    const { data } = await storeOf(run).call(deliveries, { method: "GET", path });
    error = data.find((one) => one.error !== null)?.error ?? null;
    const shipped = data.find(({ event_type }) => event_type === "order.shipped");
    return shipped?.status === "delivered" ? true : undefined;
  };
  await eventually("the event order.shipped is delivered", eventSeconds, look).catch((late: Error) => {
    throw error === null ? late : new Error(`${late.message}; the last error was: ${error}`);
  });
  const { inbox } = webhook;
  if (inbox === undefined) return;
  if (inbox.verified() > 0) return;
  throw new Error(
    `the receiver's port received no webhook that is signed by the webhook's secret, and ${inbox.forged()} that are not`,
  );
}

/** Accepts a job whose message is never sent, as if it had been lost. */
export const loseMessage = (run: Run, orderId: number): Promise<number> =>
  acceptUnsent(run.db, "weight", { order_id: orderId, weight: 2.5 }, (jobId) => run.jobs.push(jobId));

/** Verifies that the sweeper sends a lost message again. It runs every minute. */
export const expectSwept = (run: Run, jobId: number): Promise<true> => untilApplied(run, jobId, 150);
