import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { running, worker } from "./fixture/fixture.ts";
import { stepsHandler } from "./fixture/handlers.ts";
import { takeSteps } from "./steps.ts";

const { runtime, direct, steps } = await running(
  {
    sender: { code: stepsHandler, queueActions: ["SendMessage"] },
    worker: { ...worker, everyMinutes: 5 },
    ticker: {
      code: `import "node:fs"; export const handler = async (event) => { console.log(JSON.stringify(event)); };`,
      everyMinutes: 5,
    },
  },
  { redeliversAtOnce: true },
);

afterEach(() => {
  runtime.faults.clear();
  runtime.resume();
});

describe("event sources", () => {
  test("call the function with what was sent, and delete it", async () => {
    await takeSteps(runtime, "sender", [steps.send("plain")]);
    await runtime.settled();

    expect(await direct.seen("plain")).toBe(1);
  });

  test("leave a failed message of a batch, and give it up after the receives of the redrive policy", async () => {
    await runtime.pause();
    for (const body of ["fail-always", "good-beside"]) await direct.send(body);
    runtime.resume();

    expect(await direct.deadLetters()).toEqual(["fail-always"]);

    expect(await direct.seen("fail-always")).toBe(2);
    expect(await direct.seen("good-beside")).toBe(1);
  }, 30_000);

  test("deliver again when the instance died before it answered", async () => {
    const fault = runtime.faults.add({ effect: "kill-after", function: "worker", operation: "UpdateItem" });
    await takeSteps(runtime, "sender", [steps.send("killed")]);

    await fault.exhausted;
    await runtime.settled();

    expect(await direct.seen("killed")).toBe(2);
  }, 30_000);

  test("deliver twice what was sent twice", async () => {
    runtime.faults.add({ effect: "duplicate", operation: "SendMessage" });

    await takeSteps(runtime, "sender", [steps.send("doubled")]);
    await runtime.settled();

    expect(await direct.seen("doubled")).toBe(2);
  });

  test("call nobody while paused", async () => {
    await runtime.pause();
    const mark = runtime.mark();
    await takeSteps(runtime, "sender", [steps.send("paused")]);

    expect(runtime.calls(mark).map(({ function: name }) => name)).toEqual(["sender"]);

    runtime.resume();
    await runtime.settled();
    expect(await direct.seen("paused")).toBe(1);
  });
});

describe("schedules", () => {
  test("run when asked to, with the event of their rule", async () => {
    await runtime.runSchedule("ticker");

    await expect
      .poll(() => runtime.logs().find((line) => line.function === "ticker")?.text)
      .toContain('"detail-type":"Scheduled Event"');
  });

  test.each([
    ["run on a schedule", true, 2],
    ["run only when they are requested, if schedules are off", false, 1],
  ])("%s", async (_case, schedules, runs) => {
    await runtime.renew({ schedules, instancesPerFunction: 1 });
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    runtime.resume();

    vi.advanceTimersByTime(5 * 60_000);
    await runtime.runSchedule("ticker");
    // The only instance runs one event after another, so nothing is to come behind this one.
    await runtime.invoke("ticker", "last");

    const logged = () => runtime.logs().flatMap((line) => (line.function === "ticker" ? [line.text] : []));
    const expected = [...Array(runs).fill(expect.stringContaining("Scheduled Event")), '"last"'];
    await expect.poll(logged).toEqual(expected);
  });

  test("are rejected by name if none exists", async () => {
    await expect(runtime.runSchedule("sender")).rejects.toThrow('No schedule calls the function "sender".');
  });
});
