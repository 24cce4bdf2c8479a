/**
 * What the clients of a schedule do and are answered. A client that gets no answer, or one that asks it to,
 * sends the same call again with the same `Idempotency-Key`. Now and then it does not wait for an answer, or
 * sends a call again that was answered.
 */
import type { Finding } from "../checks/finding.ts";
import type { Prepared } from "../prepared.ts";
import type { Random } from "../schedule/random.ts";
import type { World } from "../world/world.ts";
import { type Answered, type Fields, type OperationName, operationOf, type Sent } from "./calls.ts";
import type { Plan } from "./plan.ts";

/** A record that a call writes. */
export interface Written {
  /** `order 1003`; undefined for a record that the call creates, which its answer names. */
  readonly record: string | undefined;
  /** The fields that it sets. */
  readonly fields: Fields;
  /** The version that the record must have, if the call states it. */
  readonly expected?: number;
  /** The fields by which the call names the record. If it has others by then, there is no such record. */
  readonly named?: Fields;
}

/** A call and its answer; times are moments of the schedule that rise with each call and answer. */
export interface Recorded {
  readonly operation: OperationName;
  readonly sent: Sent;
  /** The records that it writes, in the order of its answer. */
  readonly writes: readonly Written[];
  readonly began: number;
  readonly ended: number;
  /** When it began, in epoch milliseconds. */
  readonly beganAt: number;
  /** Undefined if the client gave up. */
  readonly answer: Answered | undefined;
}

/** Orders that were read page by page. */
export interface Walk {
  readonly began: number;
  readonly ids: readonly number[];
}

/**
 * Answers after which a client sends the same call again. A bulk call that stored some of its records when
 * the database failed is 400, and names those that are open.
 */
const isOpen = ({ status, body }: Answered): boolean =>
  status >= 500 ||
  status === 429 ||
  (status === 409 && body.includes("Idempotency-Key")) ||
  (status === 400 && body.includes("could not be stored just now"));

/**
 * More than any client needs: calls with a key are refused while a dead function's run counts as running, and
 * functions die again and again.
 */
const maxAttempts = 200;

/** An answer with past stock, and how many changes were stored when it was asked for and answered. */
export interface PastRead {
  readonly as_of: string;
  readonly body: string;
  readonly before: number;
  readonly after: number;
}

export class History {
  readonly calls: Recorded[] = [];
  readonly walks: Walk[] = [];
  readonly pastReads: PastRead[] = [];
  /** What clients themselves found wrong. */
  readonly findings: Finding[] = [];
  /** Answers 5xx, which only a failing store or a killed function may cause. */
  readonly errors: string[] = [];
  readonly world: World;
  /** Records that a client knows of. */
  readonly orderIds: number[];
  readonly replenishmentIds: number[] = [];
  readonly returnIds: number[] = [];
  readonly webhookIds: number[] = [];
  readonly aliasIds: number[] = [];
  /** Numbers that clients gave to orders in place of their first ones. */
  readonly numbers = new Map<number, string>();
  readonly holds: { readonly hold_id: string; readonly sku: string }[] = [];
  /** The last sequence of the feed when each webhook was created, by URL. */
  readonly webhooks = new Map<string, number>();
  /** Whether the warehouse did anything. */
  isWorked = false;
  /** Whether customers were erased, which changes answers that are kept. */
  isErased = false;
  /** Orders that may have been archived. */
  readonly archived = new Set<number>();
  /** Whether a record was made unreadable, which a verification reports. */
  isPoisoned = false;
  readonly #start: Prepared;
  /** The order that clients prefer. */
  readonly #hot: number;
  readonly #patience: number;
  #names = 0;
  #moments = 0;

  constructor(world: World, start: Prepared, { hot, patience }: Pick<Plan, "hot" | "patience">) {
    this.world = world;
    this.#start = start;
    this.orderIds = [...start.orderIds];
    this.#hot = start.orderIds[hot] ?? 0;
    this.#patience = patience;
  }

  productId(sku: string): number {
    return this.#start.productIds.get(sku) ?? 0;
  }

  get kitId(): number {
    return this.#start.kitId;
  }

  /** An order that was shipped before. */
  get shippedOrder(): number {
    return this.orderIds[this.#start.orderIds.length - 1] ?? 0;
  }

  /** Notes a webhook: all events that the feed gets from now on must reach its URL. */
  noteWebhook(url: string): void {
    const head = this.world.store.table("events").get({ pk: "feed-head#100", sk: "-" });
    this.webhooks.set(url, Number(head?.["sequence"]?.N ?? 0));
  }

  name(prefix: string): string {
    this.#names += 1;
    return `${prefix}-${this.#names}`;
  }

  /** The time of the schedule: every call and every answer has its own. */
  moment(): number {
    this.#moments += 1;
    return this.#moments;
  }

  /** An order to work on: often the same, so that clients meet. */
  order(random: Random): number {
    return random.happens(0.7) ? this.#hot : random.of(this.orderIds);
  }

  /** Waits as a client does between what it reads and what it writes. */
  think(random: Random): Promise<void> {
    return this.world.scheduler.sleep(random.of([0, 100, 1_000, 5_000]), "thinks");
  }

  /** Sends a call until it is answered or its client gives up, and notes it. */
  async send(
    random: Random,
    operation: OperationName,
    sent: Sent,
    writes: readonly Written[] = [],
  ): Promise<Answered | undefined> {
    const { scheduler } = this.world;
    const { reads, answersOnce } = operationOf(operation);
    const headers = { ...(reads === true ? {} : { "idempotency-key": random.uuid() }) };
    const [began, beganAt] = [this.moment(), scheduler.now];
    const note = (answer: Answered | undefined) =>
      this.calls.push({ operation, sent, writes, began, beganAt, ended: this.moment(), answer });
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const answer = await this.#attempt(random, operation, sent, headers);
      if (answer !== undefined && !isOpen(answer)) {
        note(answer);
        if (reads !== true && answersOnce !== true && random.happens(0.15))
          await this.#repeat(random, operation, sent, headers, answer);
        return answer;
      }
      if (answer === undefined && !random.happens(this.#patience)) {
        note(undefined);
        return undefined;
      }
      await scheduler.sleep(random.of([50, 400, 2_000, 36_000]), "retry");
    }
    throw new Error(`${operation} was never answered`);
  }

  /** One attempt. Undefined if the function dies, or the client does not wait for its answer. */
  async #attempt(
    random: Random,
    operation: OperationName,
    sent: Sent,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answered | undefined> {
    const { scheduler } = this.world;
    scheduler.note(() => `${operation} ${JSON.stringify(sent)}`);
    const calling = operationOf(operation).call(sent, headers, this.world);
    const isHasty = Object.keys(headers).length > 0 && random.happens(0.08);
    const answer = isHasty
      ? await Promise.race([calling, scheduler.sleep(random.of([20, 100, 400]), "gives up")])
      : await calling;
    const text = answer === undefined ? "no answer" : `${answer.status} ${answer.body.slice(0, 300)}`;
    scheduler.note(() => `${operation}: ${text}`);
    if (answer === undefined) return undefined;
    if (answer.status >= 500) this.errors.push(`${operation} was answered ${text}`);
    return answer;
  }

  /** Sends a call again that was answered: it has one effect and one answer. */
  async #repeat(
    random: Random,
    operation: OperationName,
    sent: Sent,
    headers: Readonly<Record<string, string>>,
    first: Answered,
  ): Promise<void> {
    const { scheduler } = this.world;
    await scheduler.sleep(random.of([0, 50, 2_000, 36_000]), "repeat");
    const again = await operationOf(operation).call(sent, headers, this.world);
    if (again === undefined || isOpen(again)) return;
    if (again.status === first.status && (again.body === first.body || this.isErased)) return;
    this.findings.push({
      check: "one answer",
      text: `${operation} was answered ${first.status} ${first.body}, and to a retry ${again.status} ${again.body}`,
    });
  }
}
