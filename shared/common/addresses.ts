/**
 * Which addresses are public. All others are rejected as receivers of webhooks: an address of this machine,
 * its network or its metadata service would let an account reach what only the service may reach.
 *
 * The ranges are those of IANA's registries of special-purpose addresses. Ranges that carry an IPv4 address
 * inside an IPv6 address (mapped, NAT64, 6to4, Teredo) are rejected entirely, whatever address they carry.
 */
import { BlockList, isIP } from "node:net";

type Family = "ipv4" | "ipv6";

/** Undefined if the text is not an address (octal and hexadecimal forms of IPv4 are not), or has a zone. */
export function familyOf(text: string): Family | undefined {
  const version = text.includes("%") ? 0 : isIP(text);
  return version === 0 ? undefined : version === 4 ? "ipv4" : "ipv6";
}

/** Whether an address is in one of the networks; false if the text is not an address. */
export function isWithin(networks: BlockList, text: string): boolean {
  const family = familyOf(text);
  return family !== undefined && networks.check(text, family);
}

function networksOf(family: Family, ...ranges: readonly (readonly [network: string, bits: number])[]) {
  const networks = new BlockList();
  for (const [network, bits] of ranges) networks.addSubnet(network, bits, family);
  return networks;
}

const special4 = networksOf(
  "ipv4",
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
);

/** The only public IPv6 range. Loopback, private, link-local and multicast addresses are outside it. */
const global6 = networksOf("ipv6", ["2000::", 3]);

/** Parts of it that are not public: IETF protocols with Teredo, documentation, 6to4, the old 6bone. */
const special6 = networksOf(
  "ipv6",
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3ffe::", 16],
  ["3fff::", 20],
);

/** By family: `BlockList` would match an IPv4 address inside an IPv6 address with the ranges of IPv4. */
const loopback = { ipv4: networksOf("ipv4", ["127.0.0.0", 8]), ipv6: networksOf("ipv6", ["::1", 128]) };

export const isAddress = (text: string): boolean => familyOf(text) !== undefined;

/** Whether an address is public. A text that is not an address is not. */
export function isPublic(text: string): boolean {
  switch (familyOf(text)) {
    case "ipv4":
      return !isWithin(special4, text);
    case "ipv6":
      return isWithin(global6, text) && !isWithin(special6, text);
    case undefined:
      return false;
  }
}

/** Whether an address is a loopback address. Mapped forms do not count. */
export function isLoopback(text: string): boolean {
  const family = familyOf(text);
  return family !== undefined && loopback[family].check(text, family);
}
