/**
 * Checks the account's event feed, the delivery of a webhook, and the sweeper, which resends lost messages.
 */
import * as z from "zod/mini";
import { openInbox } from "../inbox.ts";
import { omsClient, type Run, untilApplied } from "../run.ts";
import { NotChecked, pollUntil } from "../steps.ts";
import { acceptUnsent } from "../unsent-job.ts";

const webhooks = "/apirest/v4/oms/webhooks";

const eventTimeoutSeconds = 60;

/** The events of an order that is claimed, picked, weighed and shipped, in order. */
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

/** Verifies that the feed has the order's events in order, and that its sequence has no gap. */
export async function expectEvents(run: Run, orderId: number): Promise<void> {
  let types: readonly string[] = [];
  await pollUntil(`the feed has the shipment of order ${orderId}`, eventTimeoutSeconds, async () => {
    const { data } = await omsClient(run).get(feed, "/apirest/v4/oms/events?limit=100&wait=5");
    const gap = data.findIndex(({ sequence }, position) => sequence !== position + 1);
    if (gap >= 0) throw new Error(`expected the event ${gap + 1} but found ${data[gap]?.sequence}`);
    types = data.flatMap(({ type, subject: { kind, id } }) =>
      kind === "order" && id === String(orderId) ? [type] : [],
    );
    return types.includes("order.shipped");
  });
  // The sweeper's step weighs the order again, which may add an event.
  const found = types.slice(0, expectedTypes.length);
  if (found.join() !== expectedTypes.join())
    throw new Error(`expected ${expectedTypes.join(", ")} but found ${found.join(", ")}`);
}

export interface ReceiverOptions {
  /** The URL that the service posts to; undefined for the URL of the local port. */
  readonly url: string | undefined;
  /** The local port at which the test receives the webhook; undefined if another program receives it. */
  readonly port: number | undefined;
}

export type RegisteredWebhook = Awaited<ReturnType<typeof registerWebhook>>;

const created = z.object({ data: z.object({ webhook_id: z.int(), secret: z.string() }) });

/**
 * Registers a webhook for the account's orders, and opens the local port if one is given. Without one,
 * another program receives the webhook.
 */
export async function registerWebhook(run: Run, { url, port }: ReceiverOptions) {
  const inbox = port === undefined ? undefined : await openInbox(port);
  try {
    const body = { data: { url: url ?? `${inbox?.origin}/`, types: ["order.*"] } };
    const { data } = await omsClient(run).post(created, webhooks, body);
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

/** Verifies that the shipment's event was delivered and, at a local port, that it was signed. */
export async function expectDelivery(run: Run, webhook: RegisteredWebhook | undefined): Promise<void> {
  if (webhook === undefined) throw new NotChecked("no receiver is set: add --listen or --receiver");
  const { webhookId, inbox } = webhook;
  const path = `${webhooks}/${webhookId}/deliveries?limit=100`;
  let lastError: string | null = null;
  const isDelivered = async (): Promise<boolean> => {
    const { data } = await omsClient(run).get(deliveries, path);
    lastError = data.find(({ error }) => error !== null)?.error ?? null;
    const shipped = data.find(({ event_type }) => event_type === "order.shipped");
    return shipped?.status === "delivered";
  };
  await pollUntil("the event order.shipped is delivered", eventTimeoutSeconds, isDelivered).catch(
    (timeout: Error) => {
      throw lastError === null ? timeout : new Error(`${timeout.message}; the last error was: ${lastError}`);
    },
  );
  if (inbox === undefined || inbox.verified() > 0) return;
  throw new Error(
    `the local port received no webhook that is signed with the webhook's secret, and ${inbox.forged()} with other signatures`,
  );
}

/** Accepts a job whose message is never sent. */
export const loseMessage = (run: Run, orderId: number): Promise<number> =>
  acceptUnsent(run.db, "weight", { order_id: orderId, weight: 2.5 }, (jobId) => run.jobs.push(jobId));

/** Verifies that the sweeper resends the lost message. It runs every minute. */
export const expectSwept = (run: Run, jobId: number): Promise<void> => untilApplied(run, jobId, 150);
