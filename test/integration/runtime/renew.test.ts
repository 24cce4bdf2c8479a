import { afterEach, describe, expect, test } from "vitest";
import { Direct } from "./fixture/direct.ts";
import { keeper, running, worker } from "./fixture/fixture.ts";
import { stepsHandler } from "./fixture/handlers.ts";
import { codeOf, takeSteps } from "./steps.ts";

const { runtime, direct, steps } = await running(
  {
    counter: { code: "let calls = 0; export const handler = async () => ++calls;" },
    idler: { code: "export const handler = () => new Promise(() => setInterval(() => {}, 1000));" },
    named: {
      code: `const name = crypto.randomUUID();
        export const handler = () => new Promise((done) => setTimeout(done, 20, { statusCode: 200, body: name }));`,
      route: "GET /name",
    },
    waiter: { code: "export const handler = () => new Promise((done) => setTimeout(done, 500));" },
    sender: { code: stepsHandler, tableActions: ["PutItem"], queueActions: ["SendMessage"] },
    worker,
    keeper,
  },
  { streams: false },
);

afterEach(() => runtime.renew({ streams: false }));

describe("a runtime that begins again", () => {
  test("has empty tables and queues, and calls nobody until it is resumed", async () => {
    await runtime.pause();
    await direct.put("old");
    await direct.send("old-message");

    await runtime.renew({ streams: false });
    await takeSteps(runtime, "sender", [steps.send("new-message")]);

    expect(await direct.exists("old")).toBe(false);
    expect(await direct.seen("new-message")).toBeUndefined();
    runtime.resume();
    await runtime.settled();
    expect([await direct.seen("old-message"), await direct.seen("new-message")]).toEqual([undefined, 1]);
  });

  test("takes messages away that are in flight", async () => {
    const fault = runtime.faults.add({ effect: "error", function: "worker", times: 1 });
    await takeSteps(runtime, "sender", [steps.send("failed")]);
    runtime.resume();
    await fault.exhausted;
    await runtime.pause();
    // Its visibility timeout keeps it in flight.
    expect(await direct.waiting()).toEqual([]);

    await runtime.renew({ streams: false });
    runtime.resume();
    await runtime.settled();

    expect(await direct.seen("failed")).toBeUndefined();
  });

  test("has no fault, no latency, no conflicts and no logs", async () => {
    runtime.faults.add({ effect: "error", times: 100 });
    runtime.addLatency(100_000);
    runtime.raiseConflicts(true);
    await expect(runtime.invoke("nobody", {})).rejects.toThrow();

    await runtime.renew({ streams: false });
    const [put] = await takeSteps(runtime, "sender", [steps.put("fine")]);

    expect(codeOf(put)).toBeUndefined();
    expect(runtime.logs()).toEqual([]);
  });

  test("goes on with the instances that were idle, but for those of functions that are to start cold", async () => {
    const count = () => runtime.invoke("counter", {});

    const first = await count();
    await runtime.renew({ streams: false, cold: new Set(["sender"]) });
    const second = await count();
    await runtime.renew({ streams: false, cold: new Set(["counter"]) });
    const third = await count();

    expect([first, second, third]).toEqual([1, 2, 1]);
  });

  test("runs no function more often at once than the new tuning says", async () => {
    const wait = () => runtime.invoke("waiter", {});
    await runtime.renew({ streams: false, instancesPerFunction: 3 });
    await Promise.all([wait(), wait(), wait()]);

    await runtime.renew({ streams: false, instancesPerFunction: 1 });
    const began = performance.now();
    await Promise.all([wait(), wait()]);

    // One after the other, each of half a second.
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  test("turns away what waits for an instance", async () => {
    await runtime.renew({ streams: false, instancesPerFunction: 1 });
    const calls = [1, 2].map(() => runtime.invoke("idler", {}).catch(String));

    await runtime.renew({ streams: false });

    expect(await Promise.all(calls)).toEqual([
      expect.stringContaining("the instance was killed"),
      expect.stringContaining("The runtime began anew."),
    ]);
  });

  test("waits for calls to the data that are under way, so that none reaches the new tables", async () => {
    runtime.addLatency(300);
    const put = takeSteps(runtime, "sender", [steps.put("late")]).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 150));

    await runtime.renew({ streams: false });
    await put;

    expect(await direct.exists("late")).toBe(false);
    expect(runtime.calls()).toEqual([]);
  });

  test("ends what was at work", async () => {
    const hanging = runtime.invoke("idler", {}).catch(String);
    await expect.poll(() => runtime.invoke("counter", {})).toBeGreaterThan(0);

    await runtime.renew({ streams: false });

    expect(await hanging).toContain("the instance was killed");
  });

  test("delivers changes from then on, if asked to", async () => {
    await direct.putVersions("order#1", [1]);

    await runtime.renew({ streams: true });
    runtime.resume();
    // Another access key opens the tables that tell of changes.
    const later = new Direct(runtime);
    await later.putVersions("order#2", [1]);
    await runtime.settled();
    const received = [await later.received("order#1"), await later.received("order#2")];
    later.close();

    expect(received.map(({ length }) => length)).toEqual([0, 1]);
  });
});

test("retries a failed message only once its visibility timeout has run out", async () => {
  await direct.setVisibilityTimeout(1);
  await direct.send("fail-again");

  const began = performance.now();
  runtime.resume();
  const givenUp = await direct.deadLetters();

  expect(givenUp).toEqual(["fail-again"]);
  expect(await direct.seen("fail-again")).toBe(2);
  // It is received twice, and waits for a second after each time.
  expect(performance.now() - began).toBeGreaterThan(1_990);
}, 30_000);

describe("events of the API that are to meet", () => {
  const name = async () => (await fetch(`${runtime.url}/name`)).text();

  test("are worked on at the same time, each by an instance of its own", async () => {
    await name();

    const met = runtime.meet(2);
    const names = await Promise.all([name(), name()]);
    await met;

    expect(new Set(names).size).toBe(2);
  });

  test("are no more than instances that a function may have", async () => {
    await runtime.renew({ streams: false, instancesPerFunction: 2 });

    const met = runtime.meet(3);
    const names = await Promise.all([name(), name(), name()]);
    await met;

    expect(new Set(names).size).toBe(2);
  });

  test("are abandoned when the runtime restarts", async () => {
    const met = runtime.meet(2).catch(String);

    await runtime.renew({ streams: false });

    expect(await met).toContain("Only 0 of 2 events came to meet.");
    expect(await name()).not.toBe("");
  });
});
