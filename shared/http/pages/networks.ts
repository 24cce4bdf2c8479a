import { BlockList } from "node:net";
import { familyOf, isWithin } from "../../common/addresses.ts";
import { Problem } from "../../common/problem.ts";
import { networksVariable } from "../../runtime/shared-names.ts";
import type { HttpEvent } from "../http-handler.ts";

const bits = { ipv4: 32, ipv6: 128 } as const;

/**
 * The networks of a comma-separated list of IPv4 and IPv6 CIDR blocks. An empty list contains no address.
 * @throws Error that names the first invalid block
 */
export function networksIn(list: string): BlockList {
  const networks = new BlockList();
  for (const block of list.split(",").map((part) => part.trim())) {
    if (block === "") continue;
    const [, address = "", length = ""] = /^([^/]+)\/(\d{1,3})$/.exec(block) ?? [];
    const family = familyOf(address);
    if (family === undefined || Number(length) > bits[family]) {
      throw new Error(`"${block}" is no network; write internalNetworks like 10.0.0.0/8,fd00::/8`);
    }
    networks.addSubnet(address, Number(length), family);
  }
  return networks;
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
