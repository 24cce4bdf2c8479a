import { BlockList, isIP } from "node:net";
import { Problem } from "../../common/problem.ts";
import { networksVariable } from "../../lambda/contract.ts";
import type { HttpEvent } from "../gateway.ts";

const bits = { 4: 32, 6: 128 } as const;
const families = { 4: "ipv4", 6: "ipv6" } as const;

const familyOf = (address: string): 4 | 6 | undefined => {
  const version = isIP(address);
  return version === 4 || version === 6 ? version : undefined;
};

/**
 * The networks of a comma-separated list of IPv4 and IPv6 CIDR blocks. An empty list contains no address.
 * @throws Error that names the first invalid block
 */
export function networksIn(list: string): BlockList {
  const networks = new BlockList();
  for (const block of list.split(",").map((part) => part.trim())) {
    if (block === "") continue;
    const [, address = "", length = ""] = /^([^/]+)\/(\d{1,3})$/.exec(block) ?? [];
    const version = familyOf(address);
    if (version === undefined || Number(length) > bits[version]) {
      throw new Error(`"${block}" is no network; write internalNetworks like 10.0.0.0/8,fd00::/8`);
    }
    networks.addSubnet(address, Number(length), families[version]);
  }
  return networks;
}

/** Whether an address is in one of the networks; false if the text is not an address. */
export function isWithin(networks: BlockList, address: string): boolean {
  const version = familyOf(address);
  return version !== undefined && networks.check(address, families[version]);
}

/**
 * Rejects callers outside the internal networks. The address is that of the connection, or the viewer's as
 * the edge states it; `X-Forwarded-For` is ignored (docs/decisions.md, Internal page).
 * @throws Problem `forbidden`
 */
export function requireInternal({ requestContext: { http } }: HttpEvent): void {
  if (isWithin(networksIn(process.env[networksVariable] ?? ""), http.sourceIp)) return;
  throw new Problem(
    "forbidden",
    `This is for internal networks only, and ${http.sourceIp} is in none of them; ask the operator of the service`,
  );
}
