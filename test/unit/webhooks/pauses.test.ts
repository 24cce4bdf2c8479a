import { describe, expect, test } from "vitest";
import { afterAttempt, newDelivery } from "../../../shared/webhooks/delivery.ts";
import { nextAttempt, pauseAfter, timeAfter } from "../../../shared/webhooks/sending/retry-schedule.ts";

const began = "2026-01-01T00:00:00.000Z";
const hour = 3_600_000;

describe("the pause after an attempt", () => {
  test("grows with the attempts: 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, and then 10 h each", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 50].map((attempts) => pauseAfter(attempts, () => 0.5) / 1000);

    expect(pauses).toEqual([5, 60, 300, 1800, 7200, 18_000, 36_000, 36_000, 36_000]);
  });

  test("is a fifth shorter or longer by chance", () => {
    expect([0, 1].map((random) => pauseAfter(2, () => random))).toEqual([48_000, 72_000]);
  });
});

describe("the next attempt", () => {
  test("comes after the pause", () => {
    expect(nextAttempt(began, timeAfter(began, hour), 1, () => 0.5)).toBe("2026-01-01T01:00:05.000Z");
  });

  test("is the last one 72 hours after the first", () => {
    const latest = timeAfter(began, 71 * hour);

    expect(nextAttempt(began, latest, 10, () => 1)).toBe("2026-01-04T00:00:00.000Z");
    expect(nextAttempt(began, "2026-01-03T23:59:59.999Z", 10)).toBe("2026-01-04T00:00:00.000Z");
    expect(nextAttempt(began, "2026-01-04T00:00:00.000Z", 10)).toBeUndefined();
  });

  const event = { id: "evt-1", type: "order.created", sequence: 1 };
  const made = { webhook_id: 1, delivery_id: "dlv_1", event, cause: "event", request_id: null } as const;
  const before = { ...newDelivery(made, began), first_attempt_at: began };

  test.each([
    [199, "waiting", "the receiver answered 199"],
    [200, "delivered", null],
    [299, "delivered", null],
    [300, "waiting", "the receiver answered 300; redirects are not followed"],
    [399, "waiting", "the receiver answered 399; redirects are not followed"],
    [400, "waiting", "the receiver answered 400"],
  ])("after the answer %i, the delivery is %s", (status, outcome, error) => {
    const posted = { status, body: null, error: null };

    const after = afterAttempt(before, posted, { now: began, isRetried: true, begun_at: began });

    expect(after).toMatchObject({ status: outcome, error });
  });

  test("is of a delivery that is kept for 30 days", () => {
    expect(before.expires_at).toBe(Date.parse("2026-01-31T00:00:00.000Z") / 1000);
  });

  test("is counted from when the account last restarted the sending, if that is later", () => {
    const refused = { status: 500, body: null, error: null };
    const now = timeAfter(began, 80 * hour);
    const statusSince = (begun_at: string) =>
      afterAttempt(before, refused, { now, isRetried: true, begun_at }).status;

    expect([began, timeAfter(began, 79 * hour)].map(statusSince)).toEqual(["failed", "waiting"]);
  });
});
