/** Sends a body to a webhook's receiver, which may be slow, broken or hostile. */
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import type { PostResult } from "../delivery.ts";
import { hostOf } from "../url.ts";
import { type Address, checkedAddresses, type Resolve, Unreachable } from "./resolve.ts";

/** In milliseconds: name resolution, connection and response (docs/decisions.md, Deliveries). */
export const postTimeoutMs = 10_000;

/** The same for the body of a response: short, because only the status matters. */
const bodyTimeoutMs = 1_000;

/** Bytes of a response body that are read, to be shown to the account. */
const maxBodyBytes = 1024;

export interface PostOptions {
  /** Whether this machine may be the receiver. Only the local runtime sets it. */
  readonly loopback: boolean;
  readonly resolve?: Resolve;
  /** Overrides `postTimeoutMs`. */
  readonly limit?: number;
}

export interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts a body. Never throws. It connects to an address that was checked, even if the name resolves
 * differently by then. The certificate is checked against the name. Redirects are not followed, and neither
 * proxies nor persistent connections are used.
 */
export async function post(
  url: string,
  sent: Posted,
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

/** Waits for work until the signal. Errors that the work throws later are ignored. */
async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
}

/** Returns the checked addresses, so that the name is not resolved again. */
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
  { headers, body }: Posted,
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
    // The process's default agent may keep connections or use a proxy from the environment.
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

/** The first bytes of a response body that arrive in time. The rest is not read. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => response.destroy(), bodyTimeoutMs);
  try {
    for await (const chunk of response) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size >= maxBodyBytes) break;
    }
  } catch {
    // The receiver closed the connection, or the time is up. What had arrived is kept.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, maxBodyBytes).toString("utf8");
}

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

/** Describes why there is no response, without any text that the receiver controls. */
function wordsFor(error: unknown): string {
  if (error instanceof Unreachable) return error.message;
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  const name = typeof code === "string" && /^[A-Z_0-9]{1,60}$/.test(code) ? code : "unknown";
  return codes[name] ?? `the connection failed (${name})`;
}
