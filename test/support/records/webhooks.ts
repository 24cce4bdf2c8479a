/** Webhooks of an account, and a sender whose receivers and clock a test sets. */
import { endpoint as createWebhook } from "../../../functions/oms/webhooks/create-webhook.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import type { Insert, Write } from "../../../shared/store/dynamodb/writes.ts";
import type { Delivery, PostResult } from "../../../shared/webhooks/delivery.ts";
import { readDeliveries } from "../../../shared/webhooks/delivery-repository.ts";
import { insertSecret } from "../../../shared/webhooks/secret-repository.ts";
import {
  type DispatchContext,
  type DispatchFigures,
  runDispatch,
} from "../../../shared/webhooks/sending/dispatch.ts";
import type { WakeUp } from "../../../shared/webhooks/sending/queue.ts";
import { newSecret } from "../../../shared/webhooks/signature.ts";
import { newProgress } from "../../../shared/webhooks/webhook.ts";
import {
  countLookup,
  findWebhook,
  insertWebhook,
  type WebhookState,
} from "../../../shared/webhooks/webhook-repository.ts";
import { oneByOne } from "../http/one-by-one.ts";
import { contextOf, type Owner } from "./flows.ts";

/** A webhook that is switched on, in an account of its own without events. */
export interface Ahead {
  readonly accountId: number;
  readonly webhook_id: number;
  readonly secret: string;
}

/** Ids that neither a counter nor another test reaches. */
let nextId = 1_000_000;

/** Webhooks that fit one transaction: each has four writes. */
const together = 25;

/**
 * Makes so many webhooks at once, and hands out each of them once. Their accounts are nothing but numbers.
 */
export async function webhooksAhead({ db }: Pick<Owner, "db">, count: number): Promise<() => Ahead> {
  const ahead = Array.from({ length: count }, (): Ahead => {
    const id = nextId++;
    return { accountId: id, webhook_id: id, secret: newSecret() };
  });
  for (let start = 0; start < count; start += together)
    await transact(db, ahead.slice(start, start + together).flatMap(writesOf));
  return oneByOne(ahead);
}

/** Gives an account that has none so many webhooks at once; their ids. */
export async function newWebhooks({ db, accountId }: Owner, count: number): Promise<readonly number[]> {
  const ids = Array.from({ length: count }, () => nextId++);
  const { table, key } = countLookup(accountId);
  const counted: Insert = { kind: "insert", table, item: { ...key, webhooks: count } };
  const records = ids.flatMap((webhook_id) => {
    const [_count, ...writes] = writesOf({ accountId, webhook_id, secret: newSecret() });
    return writes;
  });
  await transact(db, [counted, ...records]);
  return ids;
}

function writesOf({ accountId: account_id, webhook_id, secret }: Ahead): readonly Write[] {
  const now = new Date().toISOString();
  const webhook = {
    account_id,
    webhook_id,
    url: "https://receiver.example/hooks",
    description: null,
    types: ["*"],
    active: true,
    disabled_reason: null,
    disabled_at: null,
    secrets: [{ version: 1, until: null }],
    version: 1,
    created_at: now,
    updated_at: now,
  };
  const created = { webhook, progress: newProgress(0, now) };
  return [...insertWebhook(created, undefined), insertSecret(webhook_id, 1, secret)];
}

/** A new webhook as a call makes it, and its secret. */
export async function newWebhook(owner: Owner, more: object = {}) {
  const body = { data: { url: "https://receiver.example/hooks", ...more } };
  const { data } = await createWebhook.flow(parseRequest(createWebhook.request, { body }), contextOf(owner));
  if (data.secret === null) throw new Error("a new webhook has no secret");
  return { webhook_id: data.webhook_id, secret: data.secret };
}

export async function storedWebhook({ db, accountId }: Owner, webhookId: number): Promise<WebhookState> {
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

export const taken: PostResult = { status: 200, body: "ok", error: null };
export const refused = (status = 500): PostResult => ({ status, body: "no", error: null });
export const unanswered: PostResult = { status: null, body: null, error: "no answer within 10 s" };

export const minute = 60_000;
export const hour = 60 * minute;

/**
 * A sender for the webhooks of an account. Its clock stands still until a test sets it, and is later than
 * what the test has stored.
 */
export class TestSender {
  readonly got: Got[] = [];
  readonly woken: (number | undefined)[] = [];
  /** What receivers answer. */
  answer: (got: Got) => PostResult | Promise<PostResult> = () => taken;
  now = Date.now() + minute;
  rounds = Number.POSITIVE_INFINITY;
  /** What happens where the sender has the webhook looked at again. */
  onWake: () => Promise<void> = async () => {};
  readonly #owner: Owner;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Visits a webhook as the queue's message would have a sender do. */
  async runDispatch(webhookId: number): Promise<DispatchFigures> {
    let rounds = this.rounds;
    const sender: DispatchContext = {
      db: this.#owner.db,
      clock: () => this.now,
      hasTime: () => rounds-- > 0,
      wakeAgain: async (_webhook: WakeUp, milliseconds?: number) => {
        this.woken.push(milliseconds);
        await this.onWake();
      },
      post: async (url, { headers, body }) => {
        const { sequence, type } = JSON.parse(body);
        const got: Got = { url, headers, body, sequence, type };
        this.got.push(got);
        return this.answer(got);
      },
    };
    return runDispatch(sender, { account_id: this.#owner.accountId, webhook_id: webhookId });
  }

  /** What came since the last look: the events' sequences. */
  look(): readonly number[] {
    return this.got.splice(0).map(({ sequence }) => sequence);
  }
}
