import { brotliCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { compress, decompress } from "../../../shared/store/dynamodb/compressed.ts";
import { Unreadable } from "../../../shared/store/layouts/layouts.ts";

describe("a compressed value", () => {
  test("reads as it was stored", () => {
    expect(decompress(compress({ name: "Ada", items: [1, null] }))).toEqual({
      name: "Ada",
      items: [1, null],
    });
  });

  test("that can't be read is not quoted by the error, which is logged", () => {
    const damaged = brotliCompressSync('{"email": "ada@example.com"');
    let error: unknown;
    try {
      decompress(damaged);
    } catch (thrown) {
      error = thrown;
    }

    expect(error).toBeInstanceOf(Unreadable);
    expect(error).not.toHaveProperty("cause");
    expect(String(error)).not.toContain("example.com");
  });
});
