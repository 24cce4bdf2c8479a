import { marshall } from "@aws-sdk/util-dynamodb";
import { describe, expect, test } from "vitest";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import { itemOf } from "../../../shared/store/dynamodb/images.ts";
import { inCurrentLayout, itemChangeOf } from "../../../shared/streams/change.ts";
import { twoLayouts } from "../../support/store/moved-kind.ts";
import { recordOf, variables } from "./records.ts";

describe("a change", () => {
  test("says which item of which table changed, when, and how it was and is", () => {
    expect(itemChangeOf(recordOf(7), variables)).toEqual({
      id: "event-7",
      sequence: "000000000000000000007",
      table: "orders",
      key: { pk: "order#1", sk: "-" },
      before: { pk: "order#1", sk: "-", version: 6 },
      after: { pk: "order#1", sk: "-", version: 7 },
      at: "2026-01-31T08:00:00.000Z",
    });
  });

  test("that makes an item has no before, and one that removes it no after", () => {
    const { dynamodb } = recordOf(1);
    const { OldImage, NewImage, ...rest } = dynamodb ?? {};

    const made = itemChangeOf(recordOf(1, { dynamodb: { ...rest, NewImage } }), variables);
    const removed = itemChangeOf(recordOf(1, { dynamodb: { ...rest, OldImage } }), variables);

    expect([made.before, made.after?.["version"]]).toEqual([undefined, 1]);
    expect([removed.before?.["version"], removed.after]).toEqual([0, undefined]);
  });

  test("of items of the previous layout shows both as the current one has them", () => {
    const old = { pk: "crate#7", sk: "-", name: "a", size: "2x3" };
    const db = connect({}, { region: "eu-west-1" }, twoLayouts);
    const change = { ...itemChangeOf(recordOf(1), variables), table: "inventory" } as const;

    const { before, after } = inCurrentLayout(db, { ...change, before: old, after: { ...old, name: "b" } });

    expect([before, after]).toMatchObject([
      { name: "a", width: 2, height: 3 },
      { name: "b", width: 2, height: 3 },
    ]);
  });

  test("of a table that the environment does not name is refused", () => {
    const other = "arn:aws:dynamodb:us-east-1:123456789012:table/other/stream/2026-01-31T08:00:00.000";

    expect(() => itemChangeOf(recordOf(1, { eventSourceARN: other }), variables)).toThrow(
      /changesOf does not state the table/,
    );
    expect(() => itemChangeOf(recordOf(1), {})).toThrow(/changesOf does not state the table/);
  });

  test.each([
    { eventID: undefined },
    { eventSourceARN: undefined },
    { dynamodb: undefined },
    { dynamodb: {} },
  ])("without a required field is refused: %j", (lack) => {
    expect(() => itemChangeOf({ ...recordOf(1), ...lack }, variables)).toThrow(/is incomplete/);
  });
});

describe("an item of a stream record", () => {
  test("is what was stored: bytes, numbers, texts, sets, lists and records, however deep", () => {
    const bytes = new Uint8Array([0, 255, 128, 1]);
    const item = {
      pk: "order#1",
      count: 12,
      weight: 0.125,
      packed: bytes,
      parts: new Set([bytes]),
      names: new Set(["a", "b"]),
      lines: [{ packed: bytes, none: null, isThere: true }, "x"],
    };
    const overJson = JSON.parse(
      JSON.stringify(marshall(item), (_, value) =>
        value?.type === "Buffer" || value instanceof Uint8Array
          ? Buffer.from(value).toString("base64")
          : value,
      ),
    );

    const decoded = itemOf(overJson);

    expect(decoded).toEqual(item);
    expect(decoded["packed"]).toBeInstanceOf(Uint8Array);
    expect(decoded["packed"]).not.toBeInstanceOf(Buffer);
  });
});
