/** Which URLs a webhook may have (docs/decisions.md, Receivers of webhooks). */
import { isAddress, isLoopback, isPublic } from "../common/addresses.ts";

/** Most characters of a webhook's URL. */
export const maxUrlLength = 2_000;

/** The host that a URL names: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Ends of names that are never names of the internet. */
const localEnds: readonly string[] = [".localhost", ".local", ".internal", ".localdomain", ".home.arpa"];

const isLocalName = (host: string): boolean =>
  !/[^.]\./.test(host) || localEnds.some((end) => host.endsWith(end));

/** Whether a host is this machine, by its name or an address. */
const isThisMachine = (host: string): boolean => host === "localhost" || isLoopback(host);

/** Ports below this one belong to other protocols than HTTP, save 443. */
const minPort = 1024;

/**
 * The URL in its normal form, or what is wrong with it, as the rest of a sentence. With `loopback` it may name this machine,
 * also by plain http. Names are looked up when something is sent: here only addresses that are written out are judged.
 */
export function webhookUrl(
  sent: string,
  loopback: boolean,
): { readonly url: string } | { readonly problem: string } {
  if (!URL.canParse(sent)) return { problem: "must be a URL, such as https://example.com/webhooks" };
  const url = new URL(sent);
  // Dots that end a name would end up in the name that a certificate is checked against.
  url.hostname = url.hostname.replace(/\.+$/, "") || url.hostname;
  const problem = loopback && isThisMachine(hostOf(url)) ? formProblem(url, true) : problemOf(url);
  return problem === undefined ? { url: url.href } : { problem };
}

const problemOf = (url: URL): string | undefined => formProblem(url, false) ?? hostProblem(hostOf(url));

/** What is wrong with the form of a URL, wherever it leads. */
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
