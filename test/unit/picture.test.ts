import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { picture, pictureFile } from "../../infra/picture.ts";

test("the README's picture is what its text says; `npm run picture` makes it anew", async () => {
  expect(readFileSync(pictureFile, "utf8")).toBe(await picture());
});
