import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Checkpoints } from "../../../../infra/local/events/streams/checkpoints.ts";
import { Progress } from "../../../../infra/local/events/streams/progress.ts";
import type { ShardReader } from "../../../../infra/local/events/streams/shard.ts";
import { FakeStream, numbersOf, recordOf } from "./records.ts";

const progressOf = (stream: FakeStream, folder?: string) =>
  new Progress("mapping", "table", stream, new Checkpoints(folder));

const idsOf = (shards: readonly ShardReader[]) => shards.map(({ id }) => id);

/** Reads all that can be read now, by two, as the source does. */
const readAll = async (progress: Progress): Promise<readonly number[]> => {
  const all: number[] = [];
  for (let found = true; found; ) {
    found = false;
    for (const shard of await progress.shards()) {
      const records = await shard.read(2);
      const last = records.at(-1);
      if (last !== undefined) progress.keep(shard, last);
      all.push(...numbersOf(records));
      found ||= last !== undefined || shard.isDone;
      if (shard.isDone) progress.finish(shard);
    }
  }
  return all;
};

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "checkpoints-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

describe("the shards of a stream", () => {
  test("are read parents first, and children once their parent is closed and delivered", async () => {
    const stream = new FakeStream({
      parent: { records: [1, 2, 3] },
      left: { parent: "parent", records: [4, 6] },
      right: { parent: "parent", records: [5] },
    });
    const progress = progressOf(stream);

    const open = [await readAll(progress), idsOf(await progress.shards())];
    const { parent } = stream.shardsById;
    parent?.records.push(7);
    if (parent !== undefined) parent.isClosed = true;
    const closed = await readAll(progress);

    expect(open).toEqual([[1, 2, 3], ["parent"]]);
    expect(closed).toEqual([7, 4, 6, 5]);
    expect(idsOf(await progress.shards())).toEqual(["left", "right"]);
  });

  test("whose parent is forgotten are read all the same", async () => {
    const stream = new FakeStream({ child: { parent: "long-gone", records: [8] } });

    expect(await readAll(progressOf(stream))).toEqual([8]);
  });

  test("continue at their oldest record if the next one is gone", async () => {
    const stream = new FakeStream({ only: { records: [1, 2, 3] } });
    const progress = progressOf(stream);
    await readAll(progress);
    stream.shardsById["only"]?.records.push(4, 5, 6);
    stream.trimmedTo = 5;

    expect(await readAll(progress)).toEqual([5, 6]);
  });

  test("are read on where they were when an iterator has become too old", async () => {
    const stream = new FakeStream({ only: { records: [1, 2, 3] } });
    const progress = progressOf(stream);
    await readAll(progress);
    stream.shardsById["only"]?.records.push(4);
    stream.expires = true;

    expect(await readAll(progress)).toEqual([4]);
  });

  test("return the same records again until they are counted as delivered", async () => {
    const stream = new FakeStream({ only: { records: [1, 2, 3] } });
    const [shard] = await progressOf(stream).shards();

    const first = numbersOf((await shard?.read(3)) ?? []);
    const again = numbersOf((await shard?.read(3)) ?? []);
    shard?.moveBehind(recordOf(1));
    const rest = numbersOf((await shard?.read(3)) ?? []);

    expect([first, again, rest]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [2, 3],
    ]);
  });
});

describe("a checkpoint", () => {
  const now = 1_800_000_000_000;
  const hours = (count: number) => now + count * 3_600_000;

  test("has the next start read on where the last one was", async () => {
    const folder = temporaryFolder();
    const stream = new FakeStream({ only: { records: [1, 2, 3] } });
    const checkpoints = new Checkpoints(folder);
    const first = new Progress("mapping", "table", stream, checkpoints);
    await readAll(first);
    stream.shardsById["only"]?.records.push(4);

    const next = new Map(new Checkpoints(folder).load("mapping", "stream-1", now));

    expect(next).toEqual(
      new Map([["only", { sequenceNumber: recordOf(3).dynamodb.SequenceNumber, changed: now / 1000 }]]),
    );
    expect(readdirSync(folder)).toEqual(["mapping.json"]);
  });

  test.each([
    ["of another stream, for the table was made anew", "stream-2", hours(0), 0],
    ["that DynamoDB keeps the records of", "stream-1", hours(23), 1],
    ["a day old, when DynamoDB may count from 1 again", "stream-1", hours(24), 0],
  ])("%s: %s at %i has %i positions", (_, arn, at, positions) => {
    const checkpoints = new Checkpoints(temporaryFolder());
    checkpoints.save(
      "mapping",
      "stream-1",
      new Map([["only", { sequenceNumber: "3", changed: now / 1000 }]]),
    );

    expect(checkpoints.load("mapping", arn, at).size).toBe(positions);
    expect(checkpoints.load("another", arn, at).size).toBe(0);
  });
});
