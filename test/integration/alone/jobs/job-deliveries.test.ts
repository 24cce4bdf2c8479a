import { beforeAll, describe, expect, test, vi } from "vitest";
import { ownService } from "../../../support/runtime/own-service.ts";
import {
  type Batch,
  expectAllApplied,
  makeAllOverdue,
  prepareEvery,
  recordsOf,
  sweep,
} from "../../../support/store/job-batches.ts";
import { type Ask, inTurn, kinds } from "../../../support/store/job-kinds.ts";
import { sendMessages, takeDeadLetters, takeMessages } from "../../../support/store/jobs.ts";

/** One waits for a message to be delivered five times, on a machine that may be busy. */
vi.setConfig({ testTimeout: 180_000 });

const service = await ownService();

describe.each(kinds)("jobs of kind $kind", (kind) => {
  /** Jobs of one call: enough that they come out of order, and in several batches. */
  const count = 6;
  let ask: Ask;
  beforeAll(async () => {
    ask = inTurn(await kind.prepareCalls(service, count, 1));
  });

  test("delivered again days later change nothing", async () => {
    await service.runtime.pause();
    const asked = await ask();
    const messages = await takeMessages(service.runtime, kind.kind);
    await sendMessages(service.runtime, kind.kind, messages);
    service.runtime.resume();
    await service.runtime.settled();
    const before = await recordsOf(service, { asked });
    await sendMessages(service.runtime, kind.kind, messages);
    await service.runtime.settled();

    expect(await recordsOf(service, { asked })).toEqual(before);
    await expectAllApplied(service, { kind, asked });
  });
});

test("jobs in a batch with a poison message are applied at the first delivery, and it alone is dead-lettered while its job stays queued", async () => {
  // One that is made unreadable, one before it and one behind.
  const ask = await prepareEvery(service, () => 3);
  await service.runtime.pause();
  const batches: (Batch & { readonly poison: readonly string[] })[] = [];
  for (const { kind, asked } of await ask()) {
    const [first = "", ...good] = await takeMessages(service.runtime, kind.kind);
    // One that names a job and can't be applied, and one that names none.
    const poison = [JSON.stringify({ ...JSON.parse(first), payload: { broken: true } }), "no JSON"];
    await sendMessages(service.runtime, kind.kind, [...good.slice(0, 1), ...poison, ...good.slice(1)]);
    batches.push({ kind, asked, poison });
  }
  service.runtime.resume();
  await service.runtime.settled();

  for (const { kind, asked, poison } of batches) {
    const [bad, ...good] = await recordsOf(service, { asked });
    expect(bad).toMatchObject({ kind: kind.kind, status: "queued", reason: null, attempts: 0 });
    // Not replayed with it: their one delivery was the first.
    expect(good.map(({ status, attempts }) => [status, attempts])).toEqual(good.map(() => ["applied", 1]));
    expect((await takeDeadLetters(service.runtime, kind.kind)).toSorted()).toEqual(poison.toSorted());
  }
  await makeAllOverdue(service, batches);
  await sweep(service);
  await service.runtime.settled();
  await expectAllApplied(service, ...batches);
});
