import { expect, test } from "vitest";
import { networkOf } from "../../../shared/accounts/source.ts";

test.each([
  ["an address of IPv4", "192.0.2.7", "192.0.2.7"],
  ["the first 64 bits of IPv6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["the same bits, written short", "2001:db8:1:2::6", "2001:db8:1:2"],
  ["the same bits, written long", "2001:0DB8:0001:0002::", "2001:db8:1:2"],
  ["zeros where an address leaves them out", "2001:db8::6", "2001:db8:0:0"],
  ["what is no address", "unknown", "unknown"],
])("a source is %s", (_, address, network) => {
  expect(networkOf(address)).toBe(network);
});
