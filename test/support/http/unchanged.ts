import { beforeAll, expect, test } from "vitest";

/**
 * Adds the last test of a group whose calls must change nothing: `read` then tells what it told before the
 * first of them. One comparison serves all, because to read around each test would double a group's calls.
 */
export function changeNothing(read: () => Promise<unknown>): void {
  let before: unknown;
  beforeAll(async () => {
    before = await read();
  });

  test("none of these calls changed anything", async () => {
    expect(await read()).toEqual(before);
  });
}
