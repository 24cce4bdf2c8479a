import { groups6 } from "../common/addresses.ts";

/**
 * What counts as one source of calls: an IPv4 address, or an IPv6 network. A subscriber has at least 2⁶⁴ IPv6
 * addresses, all with the same first four groups.
 */
export const networkOf = (address: string): string =>
  groups6(address)
    ?.slice(0, 4)
    .map((group) => group.toString(16))
    .join(":") ?? address;
