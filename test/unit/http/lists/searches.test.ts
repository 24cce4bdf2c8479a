import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { severalTexts } from "../../../../shared/http/lists/searches.ts";

describe("a list of texts to look for", () => {
  test.each([
    ["whole", "LAMP", { text: "LAMP", begins: false }],
    ["by how it begins", "LAMP*", { text: "LAMP", begins: true }],
    ["with blanks behind the *", "LAMP* ", { text: "LAMP", begins: true }],
  ])("takes one %s", (_case, sent, wanted) => {
    expect(z.parse(severalTexts(), sent).parts).toEqual([wanted]);
  });

  test("takes a * at the end of a text only", () => {
    const issues = z.safeParse(severalTexts(), "LA*MP").error?.issues;

    expect(issues).toMatchObject([{ message: "must have a * at its end only" }]);
  });
});
