import { describe, expect, test } from "vitest";
import {
  type AttemptKind,
  type AttemptOutcome,
  type Health,
  healthAfter,
  healthy,
  maxFailures,
} from "../../../shared/webhooks/sending/health.ts";

const now = "2026-01-02T00:00:00.000Z";
const well: Health = { ...healthy, last_success_at: null };
const failed = (kind: AttemptKind): AttemptOutcome => ({ kind, result: "failed" });
const delivered: AttemptOutcome = { kind: "first", result: "delivered" };
const half = () => 0.5;

describe("a receiver", () => {
  test("is well after anything that it took, whatever failed beside it and before", () => {
    const before = { ...well, failures: 9, failing_since: "2026-01-01", probe_at: now, probes: 3 };

    const { health, disabled } = healthAfter(before, [failed("first"), delivered, failed("retry")], now);

    expect(health).toEqual({ ...healthy, last_success_at: now });
    expect(disabled).toBeUndefined();
  });

  test("is probed once five events in a row have failed at their first attempt", () => {
    const four = healthAfter(well, Array(maxFailures - 1).fill(failed("first")), now, half).health;
    const five = healthAfter(four, [failed("first")], now, half).health;

    expect(four).toMatchObject({ failures: 4, failing_since: now, probe_at: null });
    expect(five).toMatchObject({ failures: 5, probe_at: "2026-01-02T00:00:05.000Z", probes: 0 });
  });

  test("is not probed because one event fails again and again", () => {
    let health = healthAfter(well, [failed("first")], now).health;
    for (let attempt = 0; attempt < 20; attempt += 1)
      health = healthAfter(health, [failed("retry")], now).health;

    expect(health).toMatchObject({ failures: 1, probe_at: null, failing_since: now });
  });

  test("is probed at growing pauses", () => {
    let health = healthAfter(well, Array(10).fill(failed("first")), now, half).health;
    const pauses = [0, 0, 0, 0].map(() => {
      const at = health.probe_at ?? "";
      health = healthAfter(health, [failed("retry"), failed("first")], at, half).health;
      return (Date.parse(health.probe_at ?? "") - Date.parse(at)) / 1000;
    });

    expect(pauses).toEqual([60, 300, 1800, 7200]);
  });

  test("is not judged by tests and resends that it does not accept", () => {
    expect(healthAfter(well, [failed("requested")], now)).toEqual({ health: well });
    expect(healthAfter(well, [], now)).toEqual({ health: well });
  });
});

describe("a webhook is switched off", () => {
  test("by 410 at once, also beside what was taken", () => {
    const { disabled } = healthAfter(well, [delivered, { kind: "requested", result: "gone" }], now);

    expect(disabled).toBe("gone");
  });

  test("by a failure 72 hours after the first one, and not before", () => {
    const since = (time: string) =>
      healthAfter({ ...well, failing_since: time }, [failed("retry")], now).disabled;

    expect(since("2025-12-30T00:00:00.000Z")).toBe("failing");
    expect(since("2025-12-30T00:00:00.001Z")).toBeUndefined();
  });
});
