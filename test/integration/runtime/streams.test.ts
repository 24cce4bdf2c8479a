import { afterEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { startRuntime } from "../../../infra/local/index.ts";
import { temporaryFolder, writeAssembly } from "./fixture/assembly.ts";
import { keeper, running, worker } from "./fixture/fixture.ts";
import { itemWriter, stepsHandler } from "./fixture/handlers.ts";
import type { FixtureFunction } from "./fixture/resources.ts";
import { each, range, received } from "./fixture/versions.ts";
import { takeSteps } from "./steps.ts";

/** Writes an item for each change that it receives. */
const follower: FixtureFunction = {
  ...keeper,
  code: itemWriter,
  tableActions: ["PutItem"],
  changesOf: ["first#"],
};

const writer: FixtureFunction = { code: stepsHandler, tableActions: ["PutItem", "DeleteItem"] };

const { runtime, direct, steps } = await running({ keeper, follower, worker, writer });

afterEach(async () => {
  runtime.faults.clear();
  runtime.addLatency(0);
  runtime.streams.resume();
});

describe("the stream of a table", () => {
  test("tells each change once, those of one item in their order, when nothing goes wrong", async () => {
    const items = ["order#1", "order#2", "stock#1", "stock#2", "stock#3"];

    // Six batches of ten.
    await Promise.all(items.map((item) => direct.putVersions(item, range(1, 12))));
    await runtime.settled();

    for (const item of items) expect(await direct.received(item)).toEqual(received(1, 12));
  });

  test("tells of the items alone whose keys begin as the filter says", async () => {
    await direct.putVersions("bill#1", [1]);
    await direct.putVersions("order#after-bill", [1]);
    await runtime.settled();

    expect([await direct.received("bill#1"), await direct.received("order#after-bill")]).toEqual([
      [],
      received(1, 1),
    ]);
  });

  test("tells how a removed item was, and nothing of a write that changed nothing", async () => {
    const Item = { pk: { S: "order#gone" }, sk: { S: "count" }, version: { N: "7" } };
    const put = steps.dynamodb("PutItem", { Item });
    const gone = steps.dynamodb("DeleteItem", { Key: { pk: Item.pk, sk: Item.sk } });

    await takeSteps(runtime, "writer", [put, put, gone, gone]);
    await runtime.settled();

    expect(await direct.received("order#gone")).toEqual(["insert 7", "remove 7"]);
  });

  test("tells an empty map for what it is, also within lists and maps", async () => {
    await direct.putVersions("order#empty", [1], { nested: { M: { list: { L: [{ M: {} }] } } } });
    await direct.putVersions("order#emptier", [1], { nested: { M: {} } });
    await runtime.settled();

    const all = [await direct.received("order#empty"), await direct.received("order#emptier")];
    expect(all).toEqual([['insert 1 {"M":{"list":{"L":[{"M":{}}]}}}'], ['insert 1 {"M":{}}']]);
  });

  test("calls the function within a second of a write that passed the proxy, without being asked", async () => {
    const put = steps.dynamodb("PutItem", {
      Item: { pk: { S: "order#soon" }, sk: { S: "count" }, version: { N: "1" } },
    });
    await runtime.settled();

    await takeSteps(runtime, "writer", [put]);

    await expect
      .poll(() => direct.received("order#soon"), { interval: 10, timeout: 900 })
      .toEqual(received(1, 1));
  });

  test("is waited for by settled, as are the messages that its changes lead to", async () => {
    await direct.putVersions("order#letter", range(1, 12), { letter: { BOOL: true } });

    await runtime.settled();

    expect(await direct.seen("from-order#letter")).toBe(12);
  });

  test("is awaited by settled even if handling one change makes another", async () => {
    runtime.addLatency(200);

    await direct.putVersions("first#1", [1]);
    await runtime.settled();

    expect(await direct.received("order#after-first#1")).toEqual(received(1, 1));
  });
});

describe("a consumer that fails", () => {
  test.each(["throttle", "lose-response", "kill-before", "kill-during", "kill-after"] as const)(
    "in the middle of a batch (%s) receives all that is left, in order",
    async (effect) => {
      const items = [`order#${effect}`, `stock#${effect}`];
      runtime.faults.add({ function: "keeper", operation: "UpdateItem", effect, skip: 3, times: 4 });

      await Promise.all(items.map((item) => direct.putVersions(item, range(1, 15))));
      await runtime.settled();

      for (const item of items) expect(each(await direct.received(item))).toEqual(received(1, 15));
    },
  );

  test.each(["stuck", "named"])(
    "for one change for good (%s) holds up those behind it, and none before it",
    async (how) => {
      await runtime.streams.pause();
      await direct.putVersions(`order#before-${how}`, range(1, 9));
      await direct.putVersions(`order#${how}`, [1], { [how]: { BOOL: true } });
      await direct.putVersions(`order#behind-${how}`, range(1, 9));
      const all = () =>
        Promise.all(["before-", "", "behind-"].map((which) => direct.received(`order#${which}${how}`)));

      runtime.streams.resume();
      await expect.poll(async () => each((await all()).flat()), { timeout: 20_000 }).toEqual(received(1, 9));
      const held = (await all()).map((one) => each(one).length);
      await direct.put("cure");
      await runtime.settled();
      const [, stuck, behind] = await all();

      expect(held).toEqual([9, 0, 0]);
      expect([stuck, behind]).toEqual([received(1, 1), received(1, 9)]);
      await direct.remove("cure");
    },
  );
});

describe("tests", () => {
  test("can pause a stream, and nothing is delivered or awaited until it is resumed", async () => {
    await runtime.streams.pause();

    await direct.putVersions("order#paused", range(1, 3));
    await runtime.settled();
    const meanwhile = await direct.received("order#paused");
    runtime.streams.resume();
    await runtime.settled();

    expect([meanwhile, await direct.received("order#paused")]).toEqual([[], received(1, 3)]);
  });
});

describe("a runtime is not started", () => {
  const startWith = async (fixture: Partial<FixtureFunction>) => {
    const other = temporaryFolder();
    onTestFinished(other.remove);
    const strange = writeAssembly(other.folder, { keeper: { ...keeper, ...fixture } });
    return startRuntime({ assembly: strange, dynamodbEndpoint: inject("dynamodbEndpoint") });
  };

  test.each([
    [
      "whose role may not read it",
      { streamActions: ["DescribeStream", "GetRecords", "ListStreams"] },
      /keeper has the event source .*, but its role does not allow dynamodb:GetShardIterator/,
    ],
    [
      "that filters by a rule it does not know",
      { changesBy: { FilterCriteria: { Filters: [{ Pattern: '{"eventName":[{"anything-but":["x"]}]}' }] } } },
      /does not know the filter pattern {"anything-but":\["x"\]}/,
    ],
    ["that begins at the latest change", { changesBy: { StartingPosition: "LATEST" } }, /StartingPosition/],
    ["that gives records up", { changesBy: { MaximumRetryAttempts: 3 } }, /MaximumRetryAttempts/],
    [
      "of a queue with a filter",
      { consumesQueue: false, changesBy: { EventSourceArn: { "Fn::ImportValue": "fixture-data:queueArn" } } },
      /filters of queues are not known/,
    ],
    [
      "of a stream that no table has",
      { changesBy: { EventSourceArn: "arn:aws:dynamodb:us-east-1:000000000000:table/other/stream/local" } },
      /is no stream of the assembly's tables/,
    ],
    [
      "whose failures go nowhere",
      { changesBy: { DestinationConfig: { OnFailure: { Destination: "arn:aws:sqs:x" } } } },
      /go to arn:aws:sqs:x, which is no queue/,
    ],
  ])("with an event source %s", async (_, fixture, message) => {
    await expect(startWith(fixture)).rejects.toThrow(message);
  });
});
