/** What a sender does for a webhook, by a clock that the tests set (docs/decisions.md, Deliveries). */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { Webhook as Verifier } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import type { Event } from "../../../shared/events/event.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { newDelivery, testEvent } from "../../../shared/webhooks/delivery.ts";
import {
  deliveryLookup,
  insertDelivery,
  newDeliveryId,
} from "../../../shared/webhooks/delivery-repository.ts";
import { insertSecret, readSecrets } from "../../../shared/webhooks/secret-repository.ts";
import { acquireLease, releaseLease } from "../../../shared/webhooks/sending/lease.ts";
import { newSecret } from "../../../shared/webhooks/signature.ts";
import { rotateSecrets } from "../../../shared/webhooks/webhook.ts";
import {
  findWebhook,
  removeWebhook,
  requestRun,
  restartSending,
  saveWebhook,
} from "../../../shared/webhooks/webhook-repository.ts";
import { publishEvents } from "../../support/records/publish-events.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import {
  type Ahead,
  deliveriesOf,
  hour,
  minute,
  newWebhook,
  refused,
  storedWebhook,
  TestSender,
  taken,
  unanswered,
  webhooksAhead,
} from "../../support/records/webhooks.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** A webhook, the only one of the account. */
let ahead: Ahead;
let service: Service;
let sender: TestSender;
const shared = await sharedService();
const nextWebhook = await webhooksAhead(shared, 44);
beforeEach(() => {
  ahead = nextWebhook();
  service = { ...shared, accountId: ahead.accountId };
  sender = new TestSender(service);
});

const orders = (count: number): readonly string[] => Array.from({ length: count }, () => "order.created");

/** How the deliveries of a webhook stand: their sequences, statuses and attempts. */
const stand = async (webhookId: number) =>
  (await deliveriesOf(service, webhookId)).map(
    ({ sequence, status, attempts }) => `${sequence} ${status} ${attempts}`,
  );

/** In how many milliseconds the sender wants to be woken again. */
function lastPause(): number {
  const pause = sender.woken.at(-1);
  if (pause === undefined) throw new Error("the sender does not want to be woken");
  return pause;
}

describe("events are handed over", () => {
  test("each once and in order, signed, as the feed has them; and what happened before the webhook is not", async () => {
    await publishEvents(service, "order.created");
    const { webhook_id, secret } = await newWebhook(service);
    const [first, second] = await publishEvents(service, "order.created", "stock.changed");

    await sender.runDispatch(webhook_id);
    const again = await sender.runDispatch(webhook_id);

    expect(sender.got.map(({ body }) => JSON.parse(body))).toEqual([first, second]);
    expect(sender.got.map(({ url }) => url)).toEqual(Array(2).fill("https://receiver.example/hooks"));
    for (const { body, headers } of sender.got)
      expect(new Verifier(secret).verify(body, { ...headers })).toEqual(JSON.parse(body));
    expect(sender.got.map(({ headers }) => headers["webhook-id"])).toEqual([first?.id, second?.id]);
    expect(again).toEqual({ delivered: 0, failed: 0, disabled: 0 });
    expect(await stand(webhook_id)).toEqual(["2 delivered 1", "3 delivered 1"]);
    expect((await storedWebhook(service, webhook_id)).progress).toMatchObject({
      cursor: 3,
      lease_until: 0,
      last_success_at: new Date(sender.now).toISOString(),
    });
  });

  test("of the types that the webhook states, alone", async () => {
    const { webhook_id } = await newWebhook(service, { types: ["stock.*", "order.shipped"] });
    // Events that are stored together are one batch of the feed, and a sender reads two batches at a time.
    await publishEvents(service, "order.created");
    await publishEvents(service, "product.created");
    await publishEvents(service, "order.created", "stock.changed", "order.shipped", "product.created");

    await sender.runDispatch(webhook_id);

    expect(sender.got.map(({ type }) => type).sort()).toEqual(["order.shipped", "stock.changed"]);
    expect((await storedWebhook(service, webhook_id)).progress.cursor).toBe(6);
  });

  test("many in several rounds, of at most ten at a time", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(25));
    let [atOnce, most] = [0, 0];
    sender.answer = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      return taken;
    };

    const figures = await sender.runDispatch(webhook_id);

    expect(figures.delivered).toBe(25);
    expect(most).toBe(10);
    expect(sender.look()).toEqual(Array.from({ length: 25 }, (_, position) => position + 1));
  });

  test("in another attempt if the time of this one has ended", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(25));
    sender.rounds = 2;

    await sender.runDispatch(webhook_id);
    const first = sender.look().length;
    await sender.runDispatch(webhook_id);

    expect([first, sender.look().length]).toEqual([20, 5]);
    expect(sender.woken).toEqual([undefined]);
  });

  test.each([
    ["the rest", 25, [10, 0, 17]],
    ["what comes after all of it", 1, [1, 0, 2]],
  ])("after a slow batch and a pause as long as that took, in another run: %s", async (...row) => {
    const [, count, expected] = row;
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(count));
    const long = 9_000;
    let isFirst = true;
    sender.answer = () => {
      if (!isFirst) return taken;
      isFirst = false;
      sender.now += long;
      // Its retry is due within the pause.
      return refused();
    };

    await sender.runDispatch(webhook_id);
    const first = sender.look().length;
    await publishEvents(service, "order.created");
    sender.now += long - 1;
    await sender.runDispatch(webhook_id);
    const resting = sender.look().length;
    sender.now += 1;
    await sender.runDispatch(webhook_id);

    expect([first, resting, sender.look().length]).toEqual(expected);
    expect(sender.woken).toEqual([long + 1_000]);
  });

  test("without another run for a retry that this one has made", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(60));
    let refusals = 1;
    // A batch of ten takes 1.9 s. A retry is due at most 6 s after the first, and the last begins after that.
    sender.answer = () => {
      sender.now += 190;
      return refusals-- > 0 ? refused(500) : taken;
    };

    await sender.runDispatch(webhook_id);

    expect(sender.look().filter((sequence) => sequence === 1)).toHaveLength(2);
    expect(sender.woken).toEqual([]);
  });

  test("in the next attempt, even if that starts as soon as it is woken", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(15));
    const next = new TestSender(service);
    sender.rounds = 1;
    sender.onWake = async () => void (await next.runDispatch(webhook_id));

    await sender.runDispatch(webhook_id);

    expect([sender.look().length, next.look().length]).toEqual([10, 5]);
  });

  test("to each of an account's webhooks, and to no other account's", async () => {
    const [one, two] = [ahead, await newWebhook(service)];
    const other = nextWebhook();
    const stranger = { ...shared, accountId: other.accountId };
    await publishEvents(service, "order.created");

    for (const { webhook_id } of [one, two]) await sender.runDispatch(webhook_id);
    await new TestSender(stranger).runDispatch(other.webhook_id);

    expect(sender.got).toHaveLength(2);
    expect(await stand(other.webhook_id)).toEqual([]);
  });
});

describe("two senders at a time", () => {
  test("do not both look after a webhook; the first looks once more for what the second was told of", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, "order.created");
    const other = new TestSender(service);
    sender.answer = async ({ sequence }) => {
      if (sequence === 1) {
        await publishEvents(service, "order.created");
        await other.runDispatch(webhook_id);
      }
      return taken;
    };

    await sender.runDispatch(webhook_id);

    expect(other.got).toEqual([]);
    expect(sender.look()).toEqual([1, 2]);
  });

  test("take over from one that was killed once its lease is over, and send what it did not store", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, "order.created");
    await acquireLease(service.db, webhook_id, () => sender.now);

    await sender.runDispatch(webhook_id);
    const during = sender.look();
    sender.now += 36_000;
    await sender.runDispatch(webhook_id);

    expect([during, sender.look()]).toEqual([[], [1]]);
  });

  test("take the lease if its holder ends just before it could notice the request for another run", async () => {
    const { webhook_id } = ahead;
    const clock = () => sender.now;
    const held = await acquireLease(service.db, webhook_id, clock);
    if (held === undefined) throw new Error("the lease is another's");
    const troubled = troubledDatabase(shared);
    const before = () => releaseLease(service.db, webhook_id, held);
    troubled.add({ before }, { command: "UpdateItem", text: "touched" });

    const token = await acquireLease(troubled.db, webhook_id, clock);

    expect(troubled.hits).toBe(1);
    expect(token).toBe((await storedWebhook(service, webhook_id)).progress.lease_token);
  });

  test("keep their lease even if DynamoDB's answer is lost and the change is sent twice", async () => {
    const { webhook_id } = ahead;
    const { middlewareStack } = service.db.client;
    middlewareStack.add(
      (next) => async (args) => {
        await next(args);
        return next(args);
      },
      { step: "finalizeRequest", name: "sentTwice" },
    );

    const token = await acquireLease(service.db, webhook_id, () => sender.now).finally(() =>
      middlewareStack.remove("sentTwice"),
    );

    expect(token).toBe((await storedWebhook(service, webhook_id)).progress.lease_token);
  });

  test("store nothing of a sender whose lease is another's meanwhile", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, "order.created");
    const other = new TestSender(service);
    sender.answer = async () => {
      other.now = sender.now + 36_000;
      await other.runDispatch(webhook_id);
      return refused();
    };

    const figures = await sender.runDispatch(webhook_id);

    expect(figures).toEqual({ delivered: 0, failed: 0, disabled: 0 });
    expect(await stand(webhook_id)).toEqual(["1 delivered 1"]);
  });
});

describe("a delivery that fails", () => {
  test("is tried again at growing pauses, with the same id and body, until it is taken", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, "order.created");
    sender.answer = () => refused(503);
    const pauses: number[] = [];

    for (let attempt = 1; attempt <= 6; attempt += 1) {
      if (attempt === 6) sender.answer = () => taken;
      await sender.runDispatch(webhook_id);
      const [delivery] = await deliveriesOf(service, webhook_id);
      const next = delivery?.next_attempt_at;
      if (next === null || next === undefined) break;
      pauses.push(Date.parse(next) - sender.now);
      sender.now = Date.parse(next) - 1;
      await sender.runDispatch(webhook_id);
      expect(sender.got).toHaveLength(attempt);
      sender.now += 1;
    }

    const usual = [5_000, minute, 5 * minute, 30 * minute, 2 * hour];
    expect(pauses).toHaveLength(usual.length);
    for (const [position, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(0.8 * (usual[position] ?? 0));
      expect(pause).toBeLessThanOrEqual(1.2 * (usual[position] ?? 0));
    }
    expect(sender.woken.slice(0, 3)).toEqual(pauses.slice(0, 3));
    expect(new Set(sender.got.map(({ body }) => body)).size).toBe(1);
    expect(new Set(sender.got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const [latest] = sender.got.slice(-1);
    expect(latest?.headers["webhook-timestamp"]).toBe(String(Math.floor(sender.now / 1000)));
    expect(await stand(webhook_id)).toEqual(["1 delivered 6"]);
    expect(await deliveriesOf(service, webhook_id)).toMatchObject([
      { response_code: 200, response_body: "ok", error: null, next_attempt_at: null },
    ]);
  });

  test("has the sender woken for its retry although the next batch of the run was taken", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(15));
    sender.answer = ({ sequence }) => (sequence === 1 ? refused() : taken);

    await sender.runDispatch(webhook_id);

    const waiting = (await deliveriesOf(service, webhook_id)).filter(({ status }) => status === "waiting");
    expect([sender.look().length, waiting.length]).toEqual([15, 1]);
    expect(sender.woken).toEqual([Date.parse(waiting[0]?.next_attempt_at ?? "") - sender.now]);
  });

  test("has the sender woken for its next retry if a later batch of the run has made the first in vain", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(60));
    sender.answer = ({ sequence }) => {
      // Each batch takes 1.9 s, and the first retry is due after 4 to 6 s.
      if (sequence % 10 === 2) sender.now += 1_900;
      return sequence === 1 ? refused() : taken;
    };

    await sender.runDispatch(webhook_id);

    const [failing] = await deliveriesOf(service, webhook_id);
    expect(failing).toMatchObject({ sequence: 1, status: "waiting", attempts: 2 });
    expect(sender.woken).toEqual([Date.parse(failing?.next_attempt_at ?? "") - sender.now]);
  });

  test("has no sender woken for its retry if it has the webhook switched off", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, "order.created");
    sender.answer = () => refused(410);

    const { disabled } = await sender.runDispatch(webhook_id);

    expect([disabled, await stand(webhook_id)]).toEqual([1, ["1 waiting 1"]]);
    expect(sender.woken).toEqual([]);
  });

  test("tells what the receiver answered, or why it did not", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(3));
    sender.answer = ({ sequence }) => [refused(307), refused(500), unanswered][sequence - 1] ?? taken;

    await sender.runDispatch(webhook_id);

    expect(await deliveriesOf(service, webhook_id)).toMatchObject([
      {
        response_code: 307,
        response_body: "no",
        error: "the receiver answered 307; redirects are not followed",
      },
      { response_code: 500, response_body: "no", error: "the receiver answered 500" },
      { response_code: null, response_body: null, error: "no answer within 10 s" },
    ]);
  });

  test("holds up no other, however often it fails, and is given up after 72 hours, whatever else of the webhook changes", async () => {
    const { webhook_id } = ahead;
    const began = sender.now;
    await publishEvents(service, "order.shipped");
    sender.answer = ({ type }) => (type === "order.shipped" ? refused() : taken);

    for (; sender.now <= began + 80 * hour; sender.now += 8 * hour) {
      const [event] = await publishEvents(service, "order.created");
      await sender.runDispatch(webhook_id);
      expect(sender.look()).toContain(event?.sequence);
      const { webhook } = await storedWebhook(service, webhook_id);
      const described = { description: `at ${sender.now}` };
      await transact(service.db, [saveWebhook(webhook, described, new Date(sender.now).toISOString())]);
    }

    const [poison, ...others] = await deliveriesOf(service, webhook_id);
    expect(poison).toMatchObject({ status: "failed", next_attempt_at: null });
    expect(poison?.attempts).toBeGreaterThan(8);
    expect(Date.parse(poison?.last_attempt_at ?? "")).toBe(began + 72 * hour);
    expect(others.every(({ status }) => status === "delivered")).toBe(true);
    expect((await storedWebhook(service, webhook_id)).webhook.active).toBe(true);
  });

  test("and becomes unreadable delays no other delivery of its webhook", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(2));
    sender.answer = () => refused();
    await sender.runDispatch(webhook_id);
    const [ill] = await deliveriesOf(service, webhook_id);
    if (ill === undefined) throw new Error("nothing was attempted");
    const { table, key } = deliveryLookup(webhook_id, ill.delivery_id);
    const put = (attempts: unknown) =>
      service.db.client.send(
        new PutCommand({ TableName: service.db.tableName(table), Item: { ...key, ...ill, attempts } }),
      );
    await put("many");
    sender.answer = () => taken;
    sender.now += minute;
    sender.look();

    await sender.runDispatch(webhook_id);

    expect(sender.look()).toEqual([2]);
    await put(ill.attempts);
    await sender.runDispatch(webhook_id);
    expect(await stand(webhook_id)).toEqual(["1 waiting 1", "2 delivered 2"]);
  });

  /** Has a delivery fail until it is given up. Others are taken, or fail at last. */
  async function giveUp(webhookId: number, ...last: readonly string[]): Promise<void> {
    await publishEvents(service, "order.shipped");
    sender.answer = ({ sequence }) => (sequence === 2 ? taken : refused());
    await sender.runDispatch(webhookId);
    sender.now += hour;
    await publishEvents(service, "order.created");
    await sender.runDispatch(webhookId);
    sender.now += 8 * hour;
    await sender.runDispatch(webhookId);
    if (last.length > 0) await publishEvents(service, ...last);
    sender.now += 64 * hour;
    await sender.runDispatch(webhookId);
  }

  test("and is given up is forgotten: much later, one failure does not disable the webhook", async () => {
    const { webhook_id } = ahead;
    await giveUp(webhook_id);
    expect(await stand(webhook_id)).toEqual([expect.stringMatching(/^1 failed/), "2 delivered 1"]);

    sender.now += 100 * hour;
    await publishEvents(service, "order.created");
    const figures = await sender.runDispatch(webhook_id);

    expect(figures).toEqual({ delivered: 0, failed: 1, disabled: 0 });
    expect((await storedWebhook(service, webhook_id)).webhook.active).toBe(true);
  });

  test("and is given up is not forgotten while another one is tried again", async () => {
    const { webhook_id } = ahead;
    await giveUp(webhook_id, "order.created");

    expect((await stand(webhook_id)).at(-1)).toBe("3 waiting 1");
    expect((await storedWebhook(service, webhook_id)).progress.failing_since).not.toBeNull();
  });
});

describe("a receiver that is down", () => {
  test("is handed no more than it failed to take, and probed with growing pauses; then everything follows at once", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(30));
    sender.answer = () => unanswered;

    await sender.runDispatch(webhook_id);
    const atFirst = sender.look().length;
    const early: number[] = [];
    const probes: number[] = [];
    const pauses: number[] = [];
    const end = sender.now + 12 * hour;
    for (let pause = lastPause(); sender.now + pause <= end; pause = lastPause()) {
      pauses.push(pause);
      sender.now += pause - 1;
      await sender.runDispatch(webhook_id);
      early.push(sender.look().length);
      sender.now += 1;
      await sender.runDispatch(webhook_id);
      probes.push(sender.look().length);
    }
    sender.answer = () => taken;
    sender.now += lastPause();
    const figures = await sender.runDispatch(webhook_id);

    expect(atFirst).toBe(10);
    expect(pauses).toEqual(pauses.toSorted((left, right) => left - right));
    expect(early).toEqual(Array(6).fill(0));
    expect(probes).toHaveLength(6);
    expect(Math.min(...probes)).toBeGreaterThan(0);
    expect(Math.max(...probes)).toBe(2);
    expect(figures).toMatchObject({ delivered: 30, failed: 0 });
    expect((await stand(webhook_id)).every((line) => line.includes("delivered"))).toBe(true);
    expect((await storedWebhook(service, webhook_id)).progress).toMatchObject({
      cursor: 30,
      failures: 0,
      failing_since: null,
      probe_at: null,
    });
  });

  test("is checked at its next probe, even if everything was delivered", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(6));
    sender.answer = () => unanswered;

    await sender.runDispatch(webhook_id);

    const { probe_at } = (await storedWebhook(service, webhook_id)).progress;
    expect(new Date(sender.now + lastPause()).toISOString()).toBe(probe_at);
  });

  test("for 72 hours without one success is switched off, and what happens meanwhile stays in the feed", async () => {
    const { webhook_id } = ahead;
    const began = sender.now;
    await publishEvents(service, ...orders(30));
    sender.answer = () => unanswered;
    let disabled = 0;
    let attempts = 0;
    for (let hours = 0; hours <= 90 && disabled === 0; hours += 18) {
      sender.now = began + hours * hour;
      disabled += (await sender.runDispatch(webhook_id)).disabled;
      attempts += sender.look().length;
    }

    expect(disabled).toBe(1);
    expect(sender.now).toBe(began + 72 * hour);
    expect(attempts).toBeLessThan(20);
    const { webhook, progress } = await storedWebhook(service, webhook_id);
    expect(webhook).toMatchObject({
      active: false,
      disabled_reason: "failing",
      disabled_at: new Date(sender.now).toISOString(),
    });
    expect(progress.cursor).toBeLessThan(30);
    sender.now += hour;
    expect(await sender.runDispatch(webhook_id)).toEqual({ delivered: 0, failed: 0, disabled: 0 });
    expect(sender.got).toEqual([]);
  });

  test("gets everything that was kept once it is switched on again", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(30));
    sender.answer = () => unanswered;
    for (let hours = 0; hours <= 72; hours += 36) {
      await sender.runDispatch(webhook_id);
      sender.now += 36 * hour;
    }
    sender.answer = () => taken;
    sender.look();

    const { webhook } = await storedWebhook(service, webhook_id);
    expect(webhook).toMatchObject({ active: false, disabled_reason: "failing" });
    const on = { active: true, disabled_reason: null, disabled_at: null };
    await transact(service.db, [
      saveWebhook(webhook, on, webhook.updated_at),
      restartSending(webhook_id, webhook.updated_at),
    ]);
    const figures = await sender.runDispatch(webhook_id);

    expect(figures).toMatchObject({ delivered: 30, failed: 0 });
    expect(new Set(sender.look()).size).toBe(30);
    expect((await storedWebhook(service, webhook_id)).webhook).toMatchObject({
      active: true,
      disabled_reason: null,
      disabled_at: null,
    });
  });

  test("and is replaced during a batch does not have the new receiver probed", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(6));
    sender.rounds = 1;
    let isReplaced = false;
    sender.answer = async () => {
      if (!isReplaced) {
        isReplaced = true;
        const { webhook } = await storedWebhook(service, webhook_id);
        const url = "https://other.example/hooks";
        await transact(service.db, [
          saveWebhook(webhook, { url }, webhook.updated_at),
          restartSending(webhook_id, new Date(sender.now).toISOString()),
        ]);
      }
      return refused();
    };

    await sender.runDispatch(webhook_id);

    expect(sender.got).toHaveLength(6);
    expect((await storedWebhook(service, webhook_id)).progress).toMatchObject({
      failures: 0,
      failing_since: null,
      probe_at: null,
    });
  });

  test("passes a run of events that it can't take, for each probe takes one event that is new", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...Array<string>(10).fill("order.shipped"), "order.created");
    sender.answer = ({ type }) => (type === "order.shipped" ? refused() : taken);

    await sender.runDispatch(webhook_id);
    const held = sender.look();
    sender.now += 10_000;
    await sender.runDispatch(webhook_id);

    expect(held).not.toContain(11);
    expect(sender.look()).toContain(11);
    expect((await storedWebhook(service, webhook_id)).progress.probe_at).toBeNull();
  });
});

describe("what the account asks for", () => {
  /** Stores what the call of this kind stores, without waking any other sender. */
  const ask = async (webhookId: number, cause: "test" | "resend", event: Event) => {
    const now = new Date(sender.now).toISOString();
    const made = { webhook_id: webhookId, delivery_id: newDeliveryId(now), event, cause, request_id: null };
    const content = cause === "test" ? event : undefined;
    await transact(service.db, [
      ...insertDelivery(newDelivery({ ...made, content }, now)),
      requestRun(webhookId),
    ]);
  };
  const tested = ({ webhook_id }: { readonly webhook_id: number }): Event =>
    testEvent({ account_id: service.accountId, webhook_id, url: "https://receiver.example/hooks" }, "dlv_1", {
      now: new Date(sender.now).toISOString(),
      actor: "account:1",
      db: service.db,
    });

  test("a test is sent once, also to a webhook that is switched off", async () => {
    const made = await newWebhook(service, { active: false });
    await publishEvents(service, "order.created");
    await ask(made.webhook_id, "test", tested(made));
    sender.answer = () => refused();

    await sender.runDispatch(made.webhook_id);
    sender.now += hour;
    await sender.runDispatch(made.webhook_id);

    expect(sender.got.map(({ type }) => type)).toEqual(["webhook.test"]);
    expect(await stand(made.webhook_id)).toEqual(["0 failed 1"]);
  });

  test("a resend of an event whose number another event has, as after a restore, sends neither", async () => {
    const { webhook_id } = await newWebhook(service, { active: false });
    const [event] = await publishEvents(service, "order.created");
    if (event === undefined) throw new Error("no event");
    await ask(webhook_id, "resend", { ...event, id: "evt_before_the_restore" });

    await sender.runDispatch(webhook_id);

    expect(sender.got).toEqual([]);
    expect(await stand(webhook_id)).toEqual(["1 failed 0"]);
  });

  test("a test that has the webhook switched off is not sent again when it is on", async () => {
    await ask(ahead.webhook_id, "test", tested(ahead));
    sender.answer = () => refused(410);

    const { disabled } = await sender.runDispatch(ahead.webhook_id);

    expect(disabled).toBe(1);
    expect(await stand(ahead.webhook_id)).toEqual(["0 failed 1"]);
  });

  test("a test that is taken ends the probing, and what waited follows", async () => {
    const made = ahead;
    await publishEvents(service, ...orders(12));
    sender.answer = () => unanswered;
    await sender.runDispatch(made.webhook_id);
    sender.look();
    sender.answer = () => taken;
    await ask(made.webhook_id, "test", tested(made));
    sender.now += 7_000;

    await sender.runDispatch(made.webhook_id);

    expect(new Set(sender.look())).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
  });

  test("what is due is sent with the next round, however much was asked for", async () => {
    const { webhook_id } = ahead;
    const [failed] = await publishEvents(service, "order.created");
    sender.answer = () => refused();
    await sender.runDispatch(webhook_id);
    if (failed === undefined) throw new Error("no event");
    sender.look();
    // More than a round sends, and than a round reads.
    for (let count = 0; count < 16; count += 1) await ask(webhook_id, "test", tested({ webhook_id }));
    sender.now += hour;
    sender.answer = () => taken;
    sender.rounds = 1;

    await sender.runDispatch(webhook_id);

    const sent = sender.got.map(({ type }) => type);
    expect(sent).toContain("order.created");
    expect(sent.filter((type) => type === "webhook.test")).toHaveLength(10);
  });

  test("a resend is sent at once, with the event's own id, and is tried again like any other", async () => {
    const { webhook_id } = ahead;
    const [event] = await publishEvents(service, "order.created");
    await sender.runDispatch(webhook_id);
    if (event === undefined) throw new Error("no event");
    sender.now += hour;
    await ask(webhook_id, "resend", event);
    sender.answer = () => refused();

    await sender.runDispatch(webhook_id);
    sender.answer = () => taken;
    sender.now += minute;
    await sender.runDispatch(webhook_id);

    expect(sender.got.map(({ headers }) => headers["webhook-id"])).toEqual(Array(3).fill(event.id));
    expect(await stand(webhook_id)).toEqual(["1 delivered 1", "1 delivered 2"]);
  });

  test("a replay sends all later events again, even if a sender is running", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, ...orders(5));
    let isRewound = false;
    sender.answer = async () => {
      if (!isRewound) {
        isRewound = true;
        await transact(service.db, [restartSending(webhook_id, new Date(sender.now).toISOString(), 2)]);
      }
      return taken;
    };

    await sender.runDispatch(webhook_id);

    expect(sender.look()).toEqual([1, 2, 3, 4, 5, 3, 4, 5]);
    expect((await storedWebhook(service, webhook_id)).progress.cursor).toBe(5);
    expect(await stand(webhook_id)).toHaveLength(8);
  });

  test("a webhook that is deleted while something is sent is stored nowhere again", async () => {
    const { webhook_id } = ahead;
    await publishEvents(service, "order.created");
    sender.answer = async () => {
      await transact(service.db, removeWebhook((await storedWebhook(service, webhook_id)).webhook));
      return taken;
    };

    const figures = await sender.runDispatch(webhook_id);

    expect(figures).toEqual({ delivered: 0, failed: 0, disabled: 0 });
    expect(await findWebhook(service.db, service.accountId, webhook_id)).toBeUndefined();
    expect(await sender.runDispatch(webhook_id)).toEqual({ delivered: 0, failed: 0, disabled: 0 });
    expect(sender.got).toHaveLength(1);
  });
});

describe("after a rotation", () => {
  test("both secrets sign for 24 hours, and then the old one is deleted", async () => {
    const { webhook_id, secret: old } = ahead;
    const { webhook } = await storedWebhook(service, webhook_id);
    const secrets = rotateSecrets(webhook.secrets, new Date(sender.now).toISOString());
    if (secrets === undefined) throw new Error("it can't be rotated");
    const fresh = newSecret();
    await transact(service.db, [
      saveWebhook(webhook, { secrets: [...secrets] }, webhook.updated_at),
      insertSecret(webhook_id, 2, fresh),
    ]);
    const verifies = (secret: string): boolean => {
      const [latest] = sender.got.slice(-1);
      if (latest === undefined) throw new Error("nothing was sent");
      const { body, headers } = latest;
      // The library takes times of now alone, so the signature is compared.
      const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
      const signature = new Verifier(secret).sign(headers["webhook-id"] ?? "", at, body);
      return (headers["webhook-signature"] ?? "").split(" ").includes(signature);
    };

    sender.now += 24 * hour - 1000;
    await publishEvents(service, "order.created");
    await sender.runDispatch(webhook_id);
    const during = [verifies(old), verifies(fresh)];
    sender.now += 1000;
    await publishEvents(service, "order.created");
    await sender.runDispatch(webhook_id);

    expect(during).toEqual([true, true]);
    expect([verifies(old), verifies(fresh)]).toEqual([false, true]);
    expect(await readSecrets(service.db, webhook_id, [1, 2])).toEqual([fresh]);
  });
});
