import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  amount,
  clearable,
  day,
  hiddenName,
  id,
  name,
  newName,
  optional,
  optionalText,
  parseId,
  quantity,
  text,
  utcTime,
  withDefault,
} from "../../../shared/common/fields.ts";

const billion = 1_000_000_000;

interface Rule {
  readonly schema: z.ZodMiniType;
  readonly right: readonly unknown[];
  readonly wrong: readonly unknown[];
}

const rules: Readonly<Record<string, Rule>> = {
  "a text": {
    schema: text(),
    right: ["x", " x", "x".repeat(255)],
    wrong: ["", " ", "\t\u00a0", "x".repeat(256), 5, null, undefined],
  },
  "an optional text": {
    schema: optionalText(),
    right: ["x", "x".repeat(255), undefined],
    wrong: ["x".repeat(256), 5],
  },
  "a name": { schema: name, right: ["x", "x".repeat(100)], wrong: ["", "x".repeat(101), 5] },
  "a quantity": {
    schema: quantity,
    right: [1, billion],
    wrong: [0, -1, 1.5, billion + 1, "1", true, null, Number.NaN, Number.POSITIVE_INFINITY],
  },
  "an amount": {
    schema: amount,
    right: [0, 0.01, 19.99, billion],
    wrong: [-0.01, billion + 0.5, "1", Number.NaN, Number.POSITIVE_INFINITY],
  },
  "an id": { schema: id, right: [1, Number.MAX_SAFE_INTEGER], wrong: [0, -1, 1.5, "1", 2 ** 53] },
};

const casesOf = (which: "right" | "wrong") =>
  Object.entries(rules).flatMap(([field, rule]) =>
    rule[which].map((value) => ({ field, value, schema: rule.schema })),
  );

describe("a field", () => {
  test.each(casesOf("right"))("$field can be $value", ({ schema, value }) => {
    expect(z.safeParse(schema, value)).toEqual({ success: true, data: value });
  });

  test.each(casesOf("wrong"))("$field cannot be $value", ({ schema, value }) => {
    expect(z.safeParse(schema, value).success).toBe(false);
  });
});

describe("text that the database could not keep as it is", () => {
  test.each(["S\ud800", "\udc00S"])("is rejected if it has half a character: %j", (half) => {
    expect(z.safeParse(name, half).success).toBe(false);
  });
});

test.each(["0", "01", "-1", "1.0", "1e3", " 1", "9".repeat(13)])("the text %j is no id", (value) => {
  expect(parseId(value)).toBeUndefined();
});

test.each([1e-200, 1e-10])("an amount of %d, which nobody means, is refused", (value) => {
  expect(z.safeParse(amount, value).success).toBe(false);
});

test.each([
  ["A\ud800", "must be well-formed text"],
  ["A\ufffd", "must not hold U+FFFD, which stands for a lost character"],
])("a text like %j, of which a part is lost, is refused", (value, message) => {
  expect(z.safeParse(text(5), value).error?.issues[0]?.message).toBe(message);
});

test.each([
  ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ["9999-12-31T23:59:59.999-00:01", undefined],
])("the time %s is one only up to the year 9999: later ones do not sort by their text", (sent, time) => {
  expect(utcTime(sent)).toBe(time);
});

test.each([
  ["2026-01-31T09:30Z", "2026-01-31T09:30:00.000Z"],
  ["2026-01-31T09:30+01:00", "2026-01-31T08:30:00.000Z"],
  ["2026-01-31T09:30", "2026-01-31T09:30:00.000Z"],
  ["2026-01-31T09Z", undefined],
])("the time %s needs no seconds, but minutes", (sent, time) => {
  expect(utcTime(sent)).toBe(time);
});

describe("a name that finds records", () => {
  test("loses surrounding blanks, and is kept in the form NFC", () => {
    expect(z.parse(name, "  CAFE\u0301 1\t")).toBe("CAF\u00c9 1");
  });

  test.each(["A\u0000B", "A\nB", "A\u200bB", "A\u200dB", "A\u202eB", "A\u2066B", "\ufeffA\u00adB"])(
    "is refused with a character that nobody sees: %j",
    (sent) => {
      expect(z.safeParse(name, sent).error?.issues[0]?.message).toBe(
        "must not hold control characters or invisible ones",
      );
    },
  );
});

describe("a name that is to identify a record", () => {
  test.each([
    ["a Hangul filler", "A\u3164"],
    ["a Hangul initial filler", "A\u115fB"],
    ["a halfwidth filler", "\uffa0"],
    ["a blank of Braille", "A\u2800B"],
    ["a variation selector", "A\ufe0f"],
    ["a supplementary variation selector", "A\u{e0100}"],
    ["a grapheme joiner", "A\u034fB"],
    ["a Mongolian vowel separator", "A\u180e"],
    ["a musical null note", "A\u{1d159}"],
    ["a tag", "A\u{e0041}"],
  ])(
    "holds nothing that is shown as nothing, such as %s; the name of a record that exists may",
    (_what, sent) => {
      expect(z.safeParse(newName, sent).error?.issues[0]?.message).toBe(
        "must not hold control characters or invisible ones",
      );
      expect(hiddenName("data.0.sku", sent, "other")).toEqual([
        { path: "data.0.sku", message: "must not hold control characters or invisible ones" },
      ]);
      expect(hiddenName("data.0.sku", sent, sent)).toEqual([]);
    },
  );

  test("may hold anything else, in any script", () => {
    for (const sent of ["A-1 b", "SKÜ 日本", "ᄀ", "👍", "α\u00a0β"])
      expect(z.parse(newName, sent)).toBe(sent);
  });
});

describe("a field that may be left out", () => {
  const schema = z.object({ text: optional(text(5)), number: optional(id), cleared: clearable(text(5)) });

  test.each([null, "", "  "])("is left out if it is %j; one that a PATCH can clear is null", (blank) => {
    expect(z.parse(schema, { text: blank, number: blank, cleared: blank })).toEqual({ cleared: null });
    expect(z.parse(schema, {})).toEqual({});
  });

  test("keeps its rules otherwise", () => {
    expect(z.parse(schema, { text: "a b", number: 1, cleared: "x" })).toEqual({
      text: "a b",
      number: 1,
      cleared: "x",
    });
    expect(z.safeParse(schema, { text: "longer" }).success).toBe(false);
    expect(z.safeParse(schema, { cleared: 5 }).success).toBe(false);
  });

  test.each([null, "", undefined])("has its default if it is %j", (blank) => {
    expect(z.parse(z.object({ limit: withDefault(id, 10) }), { limit: blank })).toEqual({ limit: 10 });
  });
});

describe("a day", () => {
  test.each([
    ["2026-01-31", "2026-01-31"],
    ["2026-01-31T10:00:00Z", "2026-01-31"],
    ["2026-01-31T23:30:00.123456-05:00", "2026-02-01"],
    ["2026-01-31T00:30:00+02:00", "2026-01-30"],
    ["2026-01-31T23:59:59", "2026-01-31"],
  ])("is that of %s in UTC", (sent, expected) => {
    expect(z.parse(day, sent)).toBe(expected);
  });

  test.each([
    "2026-02-30",
    "2026-02-30T10:00:00Z",
    "2026-01-31 10:00:00",
    "9999-12-31T23:00:00-05:00",
    "today",
    20260131,
  ])("can't be %j", (sent) => {
    expect(z.safeParse(day, sent).success).toBe(false);
  });
});
