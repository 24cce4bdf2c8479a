/** Validates the URLs of webhooks (docs/decisions.md, Receivers of webhooks). */
import { isAddress, isLoopback, isPublic } from "../common/addresses.ts";

/** Maximum characters of a webhook's URL. */
export const maxUrlLength = 2_000;

/** The host of a URL; an IPv6 address is without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Suffixes of host names that never exist in the public DNS. */
const localSuffixes: readonly string[] = [".localhost", ".local", ".internal", ".localdomain", ".home.arpa"];

const isLocalName = (host: string): boolean =>
  !/[^.]\./.test(host) || localSuffixes.some((end) => host.endsWith(end));

const isThisMachine = (host: string): boolean => host === "localhost" || isLoopback(host);

/** Ports below this one, except 443, belong to protocols other than HTTP. */
const minPort = 1024;

/**
 * The URL in its normal form, or the end of an error message that begins with the field. With `loopback`, the
 * URL may name this machine, also by plain http. Host names are resolved only when something is sent; only
 * literal addresses are checked here.
 */
export function webhookUrl(
  sent: string,
  loopback: boolean,
): { readonly url: string } | { readonly problem: string } {
  if (!URL.canParse(sent)) return { problem: "must be a URL, such as https://example.com/webhooks" };
  const url = new URL(sent);
  // Trailing dots would become part of the name that a certificate is checked against.
  url.hostname = url.hostname.replace(/\.+$/, "") || url.hostname;
  const problem = loopback && isThisMachine(hostOf(url)) ? formProblem(url, true) : problemOf(url);
  return problem === undefined ? { url: url.href } : { problem };
}

const problemOf = (url: URL): string | undefined => formProblem(url, false) ?? hostProblem(hostOf(url));

/** The error in a URL's form, regardless of its host. */
function formProblem({ protocol, username, password, href, port }: URL, isHere: boolean): string | undefined {
  if (protocol !== "https:" && !(isHere && protocol === "http:")) return "must begin with https://";
  if (username !== "" || password !== "") return "must hold no user name and no password";
  if (href.includes("#")) return "must hold no fragment (#)";
  if (!isHere && port !== "" && Number(port) < minPort)
    return `must name port 443 or one from ${minPort} to 65535`;
  return href.length > maxUrlLength ? `must have at most ${maxUrlLength} characters` : undefined;
}

function hostProblem(host: string): string | undefined {
  const isWrong = isAddress(host) ? !isPublic(host) : isLocalName(host);
  return isWrong ? "must name a host that the internet reaches" : undefined;
}
