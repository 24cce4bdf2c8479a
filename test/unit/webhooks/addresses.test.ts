import { describe, expect, test } from "vitest";
import { isAddress, isLoopback, isPublic } from "../../../shared/common/addresses.ts";

describe("an address that the internet reaches", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:200::1",
    "2606:4700:4700::1111",
    "2a00:1450:4001:80b::200e",
    "3ffd:ffff::1",
  ])("is public: %s", (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

describe("an address that it does not reach", () => {
  test.each([
    ["this network", "0.0.0.0", "0.255.255.255"],
    ["private", "10.0.0.0", "10.255.255.255"],
    ["shared by a carrier's customers", "100.64.0.0", "100.127.255.255"],
    ["loopback", "127.0.0.1", "127.255.255.255"],
    ["link-local", "169.254.0.0", "169.254.255.255"],
    ["metadata of AWS", "169.254.169.254", "169.254.170.2"],
    ["private", "172.16.0.0", "172.31.255.255"],
    ["IETF's own", "192.0.0.0", "192.0.0.255"],
    ["documentation", "192.0.2.1", "198.51.100.1"],
    ["6to4 relays", "192.88.99.0", "192.88.99.255"],
    ["private", "192.168.0.0", "192.168.255.255"],
    ["benchmarks", "198.18.0.0", "198.19.255.255"],
    ["documentation", "203.0.113.0", "203.0.113.255"],
    ["multicast", "224.0.0.1", "239.255.255.255"],
    ["reserved and broadcast", "240.0.0.0", "255.255.255.255"],
    ["unspecified and loopback", "::", "::1"],
    ["IPv4-mapped, private or not", "::ffff:127.0.0.1", "::ffff:8.8.8.8"],
    ["IPv4-mapped in hex", "::ffff:7f00:1", "0:0:0:0:0:ffff:a00:1"],
    ["IPv4-compatible", "::127.0.0.1", "::7f00:1"],
    ["IPv4-translated", "::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"],
    ["NAT64", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8"],
    ["NAT64 of a network's own", "64:ff9b:1::1", "64:ff9b:1:ffff::1"],
    ["discard", "100::1", "100::ffff:ffff:ffff:ffff"],
    ["Teredo and others of IETF's", "2001::1", "2001:1ff:ffff::1"],
    ["documentation", "2001:db8::1", "3fff:fff::1"],
    ["6to4, of a private address and of a public one", "2002:7f00:1::", "2002:808:808::1"],
    ["the old 6bone", "3ffe::1", "3ffe:ffff::1"],
    ["unassigned", "4000::1", "1fff:ffff::1"],
    ["segment routing", "5f00::1", "5f00:ffff::1"],
    ["unique local, with AWS's metadata", "fc00::1", "fd00:ec2::254"],
    ["link-local", "fe80::1", "febf:ffff::1"],
    ["site-local", "fec0::1", "feff::1"],
    ["multicast", "ff02::1", "ff0e::1"],
    ["link-local with a zone", "fe80::1%eth0", "2606:4700::1%1"],
  ])("is not public: %s", (_what, ...addresses) => {
    expect(addresses.map(isPublic)).toEqual([false, false]);
  });

  test.each([
    "",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "08.8.8.8",
    "8.8.8",
    "8.8.8.8.8",
    "8.8.8.256",
    " 8.8.8.8",
    "1.1.1.1/8",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "2606:4700::12345",
    "2606:4700:4700:0:0:0:0:1111::",
    "[2606:4700::1]",
    "1.1.1.1::",
  ])("is none at all: %j", (text) => {
    expect([isAddress(text), isPublic(text)]).toEqual([false, false]);
  });
});

test.each([
  ["127.0.0.1", true],
  ["127.8.9.10", true],
  ["::1", true],
  ["0:0:0:0:0:0:0:1", true],
  ["::ffff:127.0.0.1", false],
  ["128.0.0.1", false],
  ["::2", false],
  ["localhost", false],
])("%s is this machine's own address: %s", (address, is) => {
  expect(isLoopback(address)).toBe(is);
});
