import { familyOf } from "../common/addresses.ts";

/** An IPv4 address, or an IPv6 network: a subscriber has all addresses with the same first four groups. */
export const networkOf = (address: string): string =>
  familyOf(address) === "ipv6" ? groupsOf(address).slice(0, 4).join(":") : address;

function groupsOf(address: string): readonly string[] {
  // A URL writes an IPv4 part as two groups.
  const [left = "", right = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [before, after] = [left.split(":").filter(Boolean), right.split(":").filter(Boolean)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => "0"), ...after];
}
