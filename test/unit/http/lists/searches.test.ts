import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { typeFilters } from "../../../../shared/events/types.ts";
import { severalIds, severalOf, severalTexts } from "../../../../shared/http/lists/searches.ts";

describe("a list of texts to look for", () => {
  test.each([
    ["whole", "LAMP", { text: "LAMP", begins: false }],
    ["by how it begins", "LAMP*", { text: "LAMP", begins: true }],
    ["of three characters", "LAM*", { text: "LAM", begins: true }],
    ["with blanks behind the *", "LAMP* ", { text: "LAMP", begins: true }],
  ])("takes one %s", (_case, sent, wanted) => {
    expect(z.parse(severalTexts(), sent).parts).toEqual([wanted]);
  });

  test.each([
    ["7,8", "7,8"],
    ["7,7", "7,7"],
    ["7,", "7,"],
    [",7", ",7"],
    ["7", undefined],
    ["7\\,8,9", undefined],
  ])("%s may be the name %s", (sent, whole) => {
    expect(z.parse(severalTexts(), sent).whole).toBe(whole);
  });

  test.each([
    ["LA*MP", "must have a * at its end only"],
    ["LA*", "must have at least 3 characters before the *"],
  ])("takes no %s", (sent, message) => {
    expect(z.safeParse(severalTexts(), sent).error?.issues).toMatchObject([{ message }]);
  });
});

test("a list of ids, texts or words in a query leaves out blank values", () => {
  const lists = [severalIds, severalTexts(), severalOf(["1", "4"])];

  const [ids, texts, words] = lists.map((list) => z.parse(list, " 1,, 4 , "));

  expect([ids, texts, words]).toEqual([
    [1, 4],
    expect.objectContaining({
      parts: [
        { text: "1", begins: false },
        { text: "4", begins: false },
      ],
    }),
    ["1", "4"],
  ]);
});

test("a list of ids or texts in a query takes 100 different values, however often they are repeated", () => {
  const listOf = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
  const repeated = [...listOf(100), ...listOf(100)].join();

  const sent = [repeated, listOf(101).join()];

  for (const list of [severalIds, severalTexts()])
    expect(sent.map((values) => z.safeParse(list, values).success)).toEqual([true, false]);
});

describe("a list of words in a query", () => {
  test("takes them in upper and lower case, each once", () => {
    const found = z.parse(severalOf(typeFilters), "ORDER.*, Order.Created,order.created");

    expect(found).toEqual(["order.*", "order.created"]);
  });

  test.each(["order", "order.*,order", ",", "order.gone"])("does not take %s", (sent) => {
    expect(z.safeParse(severalOf(typeFilters), sent).success).toBe(false);
  });

  test("is made of words in lower case", () => {
    expect(typeFilters.map((word) => word.toLowerCase())).toEqual(typeFilters);
  });
});
