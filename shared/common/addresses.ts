/**
 * Which addresses are public. All others are rejected as receivers of webhooks: an address of this machine,
 * its network or its metadata service would let an account reach what only the service may reach.
 *
 * The ranges are those of IANA's registries of special-purpose addresses. Ranges that carry an IPv4 address
 * inside an IPv6 address (mapped, NAT64, 6to4, Teredo) are rejected entirely, whatever address they carry.
 */

/** IPv4 ranges that are not public: the network and its prefix length. */
const special4: readonly (readonly [network: string, bits: number])[] = [
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
];

/**
 * The only public IPv6 range: 2000::/3. Loopback, private, link-local and multicast addresses are outside it.
 */
const global6: Range6 = [[0x2000], 3];

/** An IPv6 range: its first groups and its prefix length. */
type Range6 = readonly [groups: readonly number[], bits: number];

/**
 * Ranges within 2000::/3 that are not public: IETF protocols with Teredo, documentation, 6to4, the old 6bone.
 */
const special6: readonly Range6[] = [
  [[0x2001, 0x0000], 23],
  [[0x2001, 0x0db8], 32],
  [[0x2002], 16],
  [[0x3ffe], 16],
  [[0x3fff], 20],
];

/**
 * An IPv4 address as a number; undefined if the text is not one. Octal and hexadecimal forms are not
 * accepted.
 */
function number4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

const isIn4 = (address: number, [network, bits]: readonly [string, number]): boolean =>
  Math.floor(address / 2 ** (32 - bits)) === Math.floor((number4(network) ?? 0) / 2 ** (32 - bits));

/** The groups of a part of an IPv6 address. A trailing IPv4 address in the last part makes two groups. */
const groupsIn = (part: string, isLast: boolean): readonly (number | undefined)[] =>
  part === ""
    ? []
    : part.split(":").flatMap((group, position, all) => {
        const address = isLast && position === all.length - 1 ? number4(group) : undefined;
        if (address !== undefined) return [Math.floor(address / 65_536), address % 65_536];
        return [/^[0-9a-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16) : undefined];
      });

/**
 * The eight groups of an IPv6 address; undefined if the text is not one. Addresses with a zone are not
 * accepted.
 */
export function groups6(text: string): readonly number[] | undefined {
  const [left = "", right, ...more] = text.split("::");
  if (more.length > 0 || !text.includes(":")) return undefined;
  const [first, last] = [groupsIn(left, right === undefined), groupsIn(right ?? "", true)];
  const missing = 8 - first.length - last.length;
  if (right === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...first, ...Array.from({ length: missing }, () => 0), ...last];
  const known = groups.filter((group) => group !== undefined);
  return known.length === 8 ? known : undefined;
}

const bitsOf = (groups: readonly number[]): string =>
  groups.map((group) => group.toString(2).padStart(16, "0")).join("");

const isIn6 = (groups: readonly number[], [network, bits]: Range6): boolean =>
  bitsOf(groups).slice(0, bits) === bitsOf(network).padEnd(128, "0").slice(0, bits);

/** Whether a text is an address of either kind, as a parsed URL or a resolver writes it. */
export const isAddress = (text: string): boolean =>
  number4(text) !== undefined || groups6(text) !== undefined;

/** Whether an address is public. A text that is not an address is not. */
export function isPublic(text: string): boolean {
  const address = number4(text);
  if (address !== undefined) return !special4.some((range) => isIn4(address, range));
  const groups = groups6(text);
  if (groups === undefined) return false;
  return isIn6(groups, global6) && !special6.some((range) => isIn6(groups, range));
}

/** Whether an address is a loopback address. Mapped forms do not count. */
export function isLoopback(text: string): boolean {
  const address = number4(text);
  if (address !== undefined) return isIn4(address, ["127.0.0.0", 8]);
  return groups6(text)?.join() === "0,0,0,0,0,0,0,1";
}
