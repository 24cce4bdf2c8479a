import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { isLoopback, isPublic } from "../../common/addresses.ts";

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (name: string) => Promise<readonly string[]>;

/** Thrown if a host has no address, or one to which nothing may be sent. The account sees the message. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Maximum addresses of a host to try. */
const maxAddresses = 4;

/** Not `dns.lookup`, which blocks one of Node's four threads: silent name servers would delay others. */
const resolveByServers: Resolve = async (name) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
};

const familyOf = (address: string): 4 | 6 => (isIP(address) === 6 ? 6 : 4);

/**
 * The addresses of a host, all checked. A single address that is not public rejects the host, because a name
 * with a public and a private address could lead the service into its own network. `loopback` allows this
 * machine.
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
  // An address with a zone is an address too, although never an allowed one.
  if (isIP(host) !== 0) return [host];
  // Name servers do not know `localhost`.
  if (loopback && host === "localhost") return ["127.0.0.1", "::1"];
  return resolve(host);
}
