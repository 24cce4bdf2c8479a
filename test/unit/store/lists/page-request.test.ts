import { expect, test } from "vitest";
import { spansOf } from "../../../../shared/store/lists/page-request.ts";

test.each([
  [1, [{ part: 2, from: 0, to: 2 }]],
  [2, [{ part: 3, from: 0, to: 2 }]],
  [
    3,
    [
      { part: 3, from: 2, to: 3 },
      { part: 1, from: 0, to: 1 },
    ],
  ],
  [4, []],
])("page %i covers the parts that it has records of, and no other", (page, spans) => {
  expect(spansOf([2, 0, 3, 1], (count) => count, { page, per_page: 2 })).toEqual(spans);
});
