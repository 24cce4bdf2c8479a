/** Sends a call again if that is safe and may help. */
import { ServiceError } from "./failure.ts";

type Send = (request: Request) => Promise<Response>;

export interface Retries {
  /** How often a call is sent at most, the first time included. 8 by default; 1 sends nothing again. */
  readonly attempts?: number;
  /**
   * The longest pause between two attempts, in seconds; 60 by default. A longer `Retry-After` ends the
   * attempts.
   */
  readonly maxPauseSeconds?: number;
}

const keyHeader = "Idempotency-Key";
const keyed: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * A `fetch` that sends a call again after 429, after 5xx and where no answer came. The pauses double from
 * half a second to ten, and are at least as long as `Retry-After` says. Together they are longer than the 35
 * seconds for which a call that died keeps its `Idempotency-Key` locked.
 *
 * A POST, PUT or PATCH carries an `Idempotency-Key`, one for all its attempts, so it takes effect once. A
 * DELETE is sent again after 429 only: it has no such key, and a second DELETE would answer that there is
 * nothing to delete.
 *
 * @throws {ServiceError} with status 0 where no attempt was answered; the signal's reason where the caller
 * aborts
 */
export function retrying(send: Send, { attempts = 8, maxPauseSeconds = 60 }: Retries = {}): Send {
  return async (request) => {
    if (keyed.has(request.method) && !request.headers.has(keyHeader))
      request.headers.set(keyHeader, randomKey());
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await outcomeOf(send, request);
      const pause = Math.max(Math.min(backoff(attempt), maxPauseSeconds), retryAfter(outcome));
      if (attempt < attempts && pause <= maxPauseSeconds && mayBeSentAgain(request.method, outcome)) {
        await sleep(pause, request.signal);
        continue;
      }
      if (outcome instanceof ServiceError) throw outcome;
      return outcome;
    }
  };
}

/**
 * One attempt: the answer with its whole body, or the error that there was none. An answer cut short is none.
 */
async function outcomeOf(send: Send, request: Request): Promise<Response | ServiceError> {
  try {
    const response = await send(request.clone());
    const body = await response.arrayBuffer();
    const { status, headers } = response;
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  } catch (cause) {
    request.signal.throwIfAborted();
    return new ServiceError({ message: `No answer to ${request.method} ${request.url}`, cause });
  }
}

function mayBeSentAgain(method: string, { status }: Response | ServiceError): boolean {
  if (status === 429) return true;
  return (status === 0 || status >= 500) && method !== "DELETE";
}

/**
 * Seconds, with up to a quarter more, so that callers who were refused together don't come again together.
 */
const backoff = (attempt: number): number => Math.min(2 ** (attempt - 2), 10) * (1 + Math.random() / 4);

/** The seconds that an answer asks for; 0 where it asks for none. */
function retryAfter(outcome: Response | ServiceError): number {
  const header = outcome instanceof Response ? outcome.headers.get("retry-after") : null;
  if (header === null) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 0 : seconds;
}

const sleep = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal.addEventListener("abort", stop, { once: true });
  });

/** 128 random bits. `crypto.randomUUID` is not there on pages without TLS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
