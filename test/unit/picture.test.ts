import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { picture, pictureFile } from "../../infra/picture.ts";

test("the README's picture matches its text; `npm run picture` renders it again", async () => {
  expect(readFileSync(pictureFile, "utf8")).toBe(await picture());
});
