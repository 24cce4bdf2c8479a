import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { isAddress, isLoopback, isPublic } from "../../common/addresses.ts";

/** An address to connect to. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds the addresses of a name: IPv4 and IPv6, none where there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Thrown where a webhook's host leads nowhere, or to where nothing may be sent. The text is meant for the account. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Addresses of one host that are tried. */
const maxAddresses = 4;

/**
 * Asks the name servers themselves. A call of the system (`dns.lookup`) would take one of Node's four threads until it ends,
 * so a few names whose servers are silent would hold up all others.
 */
export const resolveByServers: Resolve = async (name) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
};

const familyOf = (address: string): 4 | 6 => (isIP(address) === 6 ? 6 : 4);

/**
 * The addresses of a host, each of which is checked. One that is not public spoils all: a name with a public and a private
 * address is how a receiver would lead the service into its own network. With `loopback`, this machine may be named.
 * @throws Unreachable
 */
export async function checkedAddresses(
  host: string,
  { resolve = resolveByServers, loopback }: { readonly resolve?: Resolve; readonly loopback: boolean },
): Promise<readonly Address[]> {
  const found = await addressesOf(host, resolve, loopback);
  if (found.length === 0) throw new Unreachable("the host's name has no address");
  const isAllowed = (address: string) => isPublic(address) || (loopback && isLoopback(address));
  if (!found.every(isAllowed))
    throw new Unreachable("the host has an address that the internet does not reach");
  return found.slice(0, maxAddresses).map((address) => ({ address, family: familyOf(address) }));
}

async function addressesOf(host: string, resolve: Resolve, loopback: boolean): Promise<readonly string[]> {
  if (isAddress(host) || isIP(host) !== 0) return [host];
  // The name servers do not know this machine's own name.
  if (loopback && host === "localhost") return ["127.0.0.1", "::1"];
  return resolve(host);
}
