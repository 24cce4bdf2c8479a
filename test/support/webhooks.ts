/** Webhooks of an account, and a sender whose receivers and clock a test sets. */
import { endpoint as createWebhook } from "../../functions/oms/webhooks/create-webhook.ts";
import { readDeliveries } from "../../shared/data/deliveries.ts";
import { type Found, findWebhook } from "../../shared/data/webhooks.ts";
import type { Delivery, Posted } from "../../shared/domain/webhooks/delivery.ts";
import { parseRequest } from "../../shared/http/validation.ts";
import { type Figures, type Visitor, visit } from "../../shared/jobs/webhooks/visit.ts";
import type { WakeUp } from "../../shared/jobs/webhooks/wake.ts";
import { contextOf, type Owner } from "./flows.ts";

/** A new webhook, and its secret. */
export async function newWebhook(owner: Owner, more: object = {}) {
  const body = { data: { url: "https://receiver.example/hooks", ...more } };
  const { data } = await createWebhook.flow(parseRequest(createWebhook.request, { body }), contextOf(owner));
  if (data.secret === null) throw new Error("a new webhook has no secret");
  return { webhook_id: data.webhook_id, secret: data.secret };
}

export async function storedWebhook({ db, accountId }: Owner, webhookId: number): Promise<Found> {
  const found = await findWebhook(db, accountId, webhookId);
  if (found === undefined) throw new Error(`there is no webhook ${webhookId}`);
  return found;
}

/** A webhook's deliveries, the first at the beginning. */
export const deliveriesOf = async ({ db }: Owner, webhookId: number): Promise<readonly Delivery[]> =>
  (await readDeliveries(db, webhookId, { before: undefined, limit: 100 })).toReversed();

/** What a receiver got. */
export interface Got {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The event's sequence and type. */
  readonly sequence: number;
  readonly type: string;
}

export const taken: Posted = { status: 200, body: "ok", error: null };
export const refused = (status = 500): Posted => ({ status, body: "no", error: null });
export const unanswered: Posted = { status: null, body: null, error: "no answer within 10 s" };

export const minute = 60_000;
export const hour = 60 * minute;

/**
 * A sender for the webhooks of an account. Its clock stands still until a test sets it, and is later than what the test
 * has stored.
 */
export class TestSender {
  readonly got: Got[] = [];
  readonly woken: (number | undefined)[] = [];
  /** What receivers answer. */
  answer: (got: Got) => Posted | Promise<Posted> = () => taken;
  now = Date.now() + minute;
  rounds = Number.POSITIVE_INFINITY;
  /** What happens where the sender has the webhook looked at again. */
  onWake: () => Promise<void> = async () => {};
  readonly #owner: Owner;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Visits a webhook as the queue's message would have a sender do. */
  async visit(webhookId: number): Promise<Figures> {
    let rounds = this.rounds;
    const visitor: Visitor = {
      db: this.#owner.db,
      clock: () => this.now,
      hasTime: () => rounds-- > 0,
      wakeAgain: async (_webhook: WakeUp, milliseconds?: number) => {
        this.woken.push(milliseconds);
        await this.onWake();
      },
      post: async (url, headers, body) => {
        const { sequence, type } = JSON.parse(body);
        const got: Got = { url, headers, body, sequence, type };
        this.got.push(got);
        return this.answer(got);
      },
    };
    return visit(visitor, { account_id: this.#owner.accountId, webhook_id: webhookId });
  }

  /** What came since the last look: the events' sequences. */
  look(): readonly number[] {
    return this.got.splice(0).map(({ sequence }) => sequence);
  }
}
