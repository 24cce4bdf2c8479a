import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Checkpoints } from "../../../../infra/local/events/streams/checkpoints.ts";
import { Progress } from "../../../../infra/local/events/streams/progress.ts";
import { StreamSource } from "../../../../infra/local/events/streams/source.ts";
import { FakeStream } from "./records.ts";

const mapping = {
  streamArn: "arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/local",
  functionName: "f",
  batchSize: 8,
  bisects: true,
  reportsItemFailures: true,
  failuresArn: undefined,
  wants: () => true,
};

/** A source that has started on a stream without changes, at a time that the test advances. */
function startOnEmptyStream() {
  vi.useFakeTimers();
  const stream = new FakeStream({ only: { records: [] } });
  const reads = vi.spyOn(stream, "read");
  const invoke = vi.fn(async () => '{"batchItemFailures":[]}');
  const source = new StreamSource(
    "table",
    new Progress("mapping", "table", stream, new Checkpoints(undefined)),
    mapping,
    invoke,
  );
  onTestFinished(async () => {
    await source.pause();
    vi.useRealTimers();
  });
  source.start();
  return { stream, reads, invoke, source };
}

describe("a source of changes", () => {
  test("polls a stream once a second, and every five seconds after ten seconds without a change", async () => {
    const { reads } = startOnEmptyStream();

    await vi.advanceTimersByTimeAsync(9_900);
    const atFirst = reads.mock.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);

    expect(atFirst).toBe(10);
    expect(reads.mock.calls.length - atFirst).toBeLessThanOrEqual(13);
  });

  test("polls a stream less often the longer a poll takes, but at least about once a minute", async () => {
    const { reads } = startOnEmptyStream();
    let took = 40;
    reads.mockImplementation(async (next) => {
      await new Promise((resolve) => setTimeout(resolve, took));
      return { records: [], next };
    });
    const pollsIn = async (milliseconds: number): Promise<number> => {
      const before = reads.mock.calls.length;
      await vi.advanceTimersByTimeAsync(milliseconds);
      return reads.mock.calls.length - before;
    };
    await pollsIn(30_000);
    const atFortyMilliseconds = await pollsIn(200_000);
    took = 1_000;
    await pollsIn(60_000);
    const atOneSecond = await pollsIn(610_000);
    took = 0;
    await pollsIn(1_000);

    expect(atFortyMilliseconds).toBeGreaterThanOrEqual(9);
    expect(atFortyMilliseconds).toBeLessThanOrEqual(10);
    expect(atOneSecond).toBe(10);
  });

  test("reads a change that is announced at once, and polls once a second again", async () => {
    const { stream, reads, invoke, source } = startOnEmptyStream();
    await vi.advanceTimersByTimeAsync(60_000);

    stream.shardsById["only"]?.records.push(1);
    source.poke();
    await vi.advanceTimersByTimeAsync(10);
    const called = invoke.mock.calls.length;
    const before = reads.mock.calls.length;
    await vi.advanceTimersByTimeAsync(5_000);

    expect(called).toBe(1);
    expect(reads.mock.calls.length - before).toBeGreaterThanOrEqual(5);
  });
});
