/** Sends a body to a webhook's receiver, which may be slow, broken or hostile. */
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import type { PostResult } from "../delivery.ts";
import { hostOf } from "../url.ts";
import { type Address, checkedAddresses, type Resolve, Unreachable } from "./resolve.ts";

/** Milliseconds that a receiver has in all: for its name, the connection and the answer (docs/decisions.md, Deliveries). */
export const postTimeoutMs = 10_000;

/** Milliseconds that the body of an answer is waited for once its status is known, for the body decides nothing. */
const bodyPatience = 1_000;

/** Bytes of an answer's body that are read, to be shown to the account. */
const maxBodyBytes = 1024;

/** How a post is made. */
export interface PostOptions {
  /** Whether this machine may be the receiver: in the local runtime alone. */
  readonly loopback: boolean;
  readonly resolve?: Resolve;
  /** Milliseconds in place of `postTimeoutMs`. */
  readonly limit?: number;
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts a body. Never throws. The connection goes to an address that was checked, whatever the name leads to meanwhile; the
 * certificate is still checked against the name. No redirect is followed, no proxy asked, and no connection kept.
 */
export async function post(
  url: string,
  sent: Sent,
  { limit = postTimeoutMs, ...way }: PostOptions,
): Promise<PostResult> {
  const deadline = AbortSignal.timeout(limit);
  try {
    const target = new URL(url);
    const addresses = await orAborted(deadline, checkedAddresses(hostOf(target), way));
    return await exchange(target, addresses, sent, deadline);
  } catch (error) {
    const words = deadline.aborted ? `no answer within ${limit / 1000} s` : wordsFor(error);
    return { status: null, body: null, error: words };
  }
}

/** Waits for work until the signal. What the work throws later is passed over. */
async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
}

/** Hands out the checked addresses, so that the name is not looked up a second time. */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, answer) => {
    const [first] = addresses;
    if (first === undefined) answer(new Unreachable("the host's name has no address"), "");
    else if (all === true) answer(null, [...addresses]);
    else answer(null, first.address, first.family);
  };

async function exchange(
  target: URL,
  addresses: readonly Address[],
  { headers, body }: Sent,
  signal: AbortSignal,
): Promise<PostResult> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const bytes = Buffer.from(body);
  const secure = target.protocol === "https:";
  const options = {
    method: "POST",
    host: hostOf(target),
    port: target.port || (secure ? 443 : 80),
    path: `${target.pathname}${target.search}`,
    headers: { ...headers, host: target.host, "content-length": bytes.length },
    // An agent of its own: that of the process may keep connections, or use a proxy that the environment names.
    agent: secure ? new https.Agent({ maxCachedSessions: 0 }) : new http.Agent(),
    lookup: pinned(addresses),
    autoSelectFamilyAttemptTimeout: 2_000,
    signal,
  };
  const request = secure ? https.request(options) : http.request(options);
  request.on("response", resolve);
  request.on("error", reject);
  request.on("upgrade", (_answer, socket) => {
    socket.destroy();
    reject(new Unreachable("the receiver answered with another protocol"));
  });
  request.end(bytes);
  try {
    const response = await promise;
    return { status: response.statusCode ?? null, body: await beginningOf(response), error: null };
  } finally {
    request.destroy();
  }
}

/** The first bytes of an answer's body, as far as they come in time. The rest is not read. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => response.destroy(), bodyPatience);
  try {
    for await (const chunk of response) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size >= maxBodyBytes) break;
    }
  } catch {
    // The receiver ended the connection, or the time is over. What came until then is shown.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, maxBodyBytes).toString("utf8");
}

/** What codes of errors say, where it can be said better than by the code. */
const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the receiver ended the connection without an answer",
  EPIPE: "the receiver ended the connection without an answer",
  CERT_HAS_EXPIRED: "the receiver's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the receiver's certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the receiver's certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the receiver's certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the receiver does not send all certificates of its chain",
};

/** Says why there is no answer, without a word that the receiver chose. */
function wordsFor(error: unknown): string {
  if (error instanceof Unreachable) return error.message;
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  const name = typeof code === "string" && /^[A-Z_0-9]{1,60}$/.test(code) ? code : "unknown";
  return codes[name] ?? `the connection failed (${name})`;
}
