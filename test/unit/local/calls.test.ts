import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { criticalPath } from "../../../infra/local/proxy/calls.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

/** By trying every subset. */
const byForce = (spans: readonly Span[]): number => {
  const longest = (free: number, rest: readonly Span[]): number =>
    Math.max(
      0,
      ...rest
        .filter(({ start }) => start >= free)
        .map(
          (span) =>
            1 +
            longest(
              span.end,
              rest.filter((other) => other !== span),
            ),
        ),
    );
  return longest(Number.NEGATIVE_INFINITY, spans);
};

const span = fc.record({ start: fc.integer({ min: 0, max: 20 }), length: fc.integer({ min: 1, max: 8 }) });

describe("criticalPath", () => {
  test("is the most calls that follow each other without overlapping", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 6 }), (drawn) => {
        const spans = drawn.map(({ start, length }) => ({ start, end: start + length }));
        expect(criticalPath(spans)).toBe(byForce(spans));
      }),
    );
  });

  test("counts calls at the same time once", () => {
    expect(criticalPath([0, 1, 2].map((start) => ({ start, end: 10 })))).toBe(1);
  });
});
