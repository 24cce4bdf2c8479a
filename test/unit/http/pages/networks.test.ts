import { describe, expect, test } from "vitest";
import { isWithin } from "../../../../shared/common/addresses.ts";
import { networksIn } from "../../../../shared/http/pages/networks.ts";

describe("internal networks", () => {
  test.each([
    ["10.1.2.3", true],
    ["11.0.0.1", false],
    ["fd00::1", true],
    ["fe80::1", false],
    ["::ffff:10.1.2.3", true],
    ["::ffff:11.0.0.1", false],
    ["192.0.2.7", true],
    ["192.0.2.8", false],
    ["", false],
    ["10.1.2.3, 11.0.0.1", false],
  ])("with IPv4 and IPv6 blocks contain %s: %s", (address, expected) => {
    expect(isWithin(networksIn("10.0.0.0/8, fd00::/8,192.0.2.7/32"), address)).toBe(expected);
  });

  test("contain no address if none is stated", () => {
    expect(isWithin(networksIn(""), "127.0.0.1")).toBe(false);
  });

  test.each([
    "10.0.0.0",
    "10.0.0.0/33",
    "fd00::/129",
    "10.0.0/8",
    "office",
    "10.0.0.0/8;11.0.0.0/8",
    "1.2.3.4/-1",
  ])("are rejected if the list has %j", (list) => {
    expect(() => networksIn(`192.0.2.0/24,${list}`)).toThrow(`"${list}" is no network`);
  });
});
