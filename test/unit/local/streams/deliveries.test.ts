import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Deliveries } from "../../../../infra/local/events/streams/deliveries.ts";
import { fitting, handledOf, toLambda } from "../../../../infra/local/events/streams/records.ts";
import { numbersOf, recordOf } from "./records.ts";

const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/local";
const mapping = {
  streamArn: arn,
  functionName: "f",
  batchSize: 8,
  bisects: true,
  reportsItemFailures: true,
  failuresArn: undefined,
  wants: (record: unknown) => !JSON.stringify(record).includes("unwanted"),
};
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => recordOf(first + place));
const unwanted = (number: number) => recordOf(number, { Keys: { pk: { S: "unwanted" } } });
const event = z.object({ Records: z.array(z.object({ eventID: z.string() })) });

/** Deliveries to a function that fails for some records, and what it was called with. */
const failingFor = (...numbers: readonly number[]) => {
  const calls: string[][] = [];
  const deliveries = new Deliveries(mapping, async (given) => {
    const ids = event.parse(given).Records.map(({ eventID }) => eventID);
    calls.push(ids);
    if (numbers.some((number) => ids.includes(`event-${number}`))) throw new Error("failed");
    return '{"batchItemFailures":[]}';
  });
  return { deliveries, calls };
};

describe("deliveries", () => {
  test("come closer to a record that fails by halves, and grow again behind it", async () => {
    const { deliveries } = failingFor(6);
    const all = range(1, 8);
    const limits: number[] = [];
    let told = 0;

    for (let turn = 0; turn < 8; turn += 1) {
      const batch = deliveries.batchOf(all.slice(told, told + deliveries.limit));
      told = numbersOf([(await deliveries.deliver(batch)) ?? recordOf(told)])[0] ?? 0;
      limits.push(deliveries.limit);
    }

    expect(told).toBe(5);
    expect(limits.slice(0, 3)).toEqual([4, 8, 2]);
    expect(limits.at(-1)).toBe(1);
  });

  test("wait longer after each failure, and not at all after a success", async () => {
    const failing = failingFor(1).deliveries;
    const pauses: number[] = [];
    for (let turn = 0; turn < 9; turn += 1) {
      await failing.deliver(failing.batchOf(range(1, 2)));
      pauses.push(failing.pause);
    }
    await failing.deliver(failing.batchOf(range(2, 3)));

    expect(pauses).toEqual([50, 100, 200, 400, 800, 1600, 3000, 3000, 3000]);
    expect(failing.pause).toBe(0);
  });

  test("leave out what the function does not want, and count it as delivered", async () => {
    const { deliveries, calls } = failingFor();

    const some = await deliveries.deliver(deliveries.batchOf([unwanted(1), recordOf(2), unwanted(3)]));
    const none = await deliveries.deliver(deliveries.batchOf([unwanted(4), unwanted(5)]));

    expect(numbersOf([some, none].filter((one) => one !== undefined))).toEqual([3, 5]);
    expect(calls).toEqual([["event-2"]]);
  });

  test("count what precedes the record that the function names as delivered", async () => {
    const deliveries = new Deliveries(mapping, async () =>
      JSON.stringify({ batchItemFailures: [{ itemIdentifier: recordOf(4).dynamodb.SequenceNumber }] }),
    );

    const told = await deliveries.deliver(deliveries.batchOf([...range(1, 2), unwanted(3), ...range(4, 6)]));

    expect(told?.eventID).toBe("event-3");
    expect([deliveries.limit, deliveries.pause]).toEqual([8, 50]);
  });

  test("read fewer records at once if these are large", async () => {
    const { deliveries } = failingFor();
    const large = range(1, 8).map((_, place) => recordOf(place, { SizeBytes: 500_000 }));

    await deliveries.deliver(deliveries.batchOf(large));

    expect(deliveries.limit).toBe(2);
  });
});

describe("an event", () => {
  test("holds records of 6 MB, and one that is larger alone", () => {
    const sized = (...sizes: readonly number[]) =>
      sizes.map((size, place) => recordOf(place + 1, { SizeBytes: size * 1024 * 1024 }));

    expect(numbersOf(fitting(sized(2, 4, 1)))).toEqual([1, 2]);
    expect(numbersOf(fitting(sized(7, 1)))).toEqual([1]);
    expect(numbersOf(fitting(sized(1, 1)))).toEqual([1, 2]);
  });

  test("states the region, the stream as the templates name it, and who removed an item, as Lambda does", () => {
    const removed = {
      ...recordOf(1),
      userIdentity: { PrincipalId: "dynamodb.amazonaws.com", Type: "Service" },
    };

    expect(toLambda(removed, arn)).toEqual({
      ...recordOf(1),
      awsRegion: "us-east-1",
      eventSource: "aws:dynamodb",
      eventSourceARN: arn,
      userIdentity: { principalId: "dynamodb.amazonaws.com", type: "Service" },
    });
    expect(toLambda(recordOf(1), arn)).not.toHaveProperty("userIdentity");
  });
});

describe("handledOf", () => {
  const three = range(1, 3);
  const failed = (...numbers: readonly number[]) =>
    JSON.stringify({
      batchItemFailures: numbers.map((number) => ({
        itemIdentifier: recordOf(number).dynamodb.SequenceNumber,
      })),
    });

  test.each([
    ["null", 3],
    ['""', 3],
    ["{}", 3],
    ['{"batchItemFailures":null}', 3],
    [failed(), 3],
    [failed(1), 0],
    [failed(3), 2],
    [failed(3, 2), 1],
    [failed(9), 0],
    ['{"batchItemFailures":[{"itemIdentifier":""}]}', 0],
    ['{"batchItemFailures":[{"wrong":"2"}]}', 0],
    ['"done"', 0],
  ])("takes the answer %s for %i records handled", (payload, handled) => {
    expect(handledOf(payload, three)).toBe(handled);
  });
});
