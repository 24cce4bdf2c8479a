/** Calls of the deployed service, as its clients make them. */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";

type Headers = Readonly<Record<string, string>>;

/** A call, without what all calls of a caller carry. */
export interface Call {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
  readonly headers?: Headers;
}

/** An answer of the service whose body is as expected. */
export interface Answered<T> {
  readonly body: T;
  readonly headers: globalThis.Headers;
}

/** Times that a call is sent which is answered 429. */
const maxAttempts = 5;

/** Milliseconds after which a call that hangs is given up: API Gateway answers within 30 seconds. */
const timeout = 35_000;

/** Makes calls with one client's credentials. */
export class Caller {
  readonly #url: string;
  readonly #headers: Headers;

  constructor(url: string, headers: Headers) {
    this.#url = url.replace(/\/+$/, "");
    this.#headers = headers;
  }

  /** The body of a successful answer. @throws as `answered` */
  async call<T>(schema: z.ZodMiniType<T>, call: Call): Promise<T> {
    const { body } = await this.answered(schema, call);
    return body;
  }

  /**
   * A successful answer. A call that is answered 429 is sent again, as clients should.
   * @throws for any other answer, and for a body that is not as expected
   */
  async answered<T>(schema: z.ZodMiniType<T>, call: Call): Promise<Answered<T>> {
    const named = `${call.method ?? "POST"} ${call.path}`;
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#send(call, named);
      const text = await response.text();
      const retryAfter = Number(response.headers.get("retry-after") ?? 1);
      if (response.status === 429 && attempt < maxAttempts) {
        await sleep(1000 * retryAfter);
        continue;
      }
      if (response.status !== 200)
        throw new Error(`${named} answered ${response.status}: ${text.slice(0, 500)}`);
      return { body: bodyOf(schema, text, named), headers: response.headers };
    }
  }

  async #send({ method = "POST", path, body, headers }: Call, named: string): Promise<Response> {
    try {
      return await fetch(this.#url + path, {
        method,
        headers: { "content-type": "application/json", ...this.#headers, ...headers },
        signal: AbortSignal.timeout(timeout),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new Error(`${named} got no answer from ${this.#url}: ${reasonOf(error)}`);
    }
  }
}

/** `fetch` states the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** A body may hold a key or a token, so an error names what is wrong with it, and shows nothing of it. */
function bodyOf<T>(schema: z.ZodMiniType<T>, text: string, named: string): T {
  const read = z.safeParse(schema, jsonIn(text, named));
  if (read.success) return read.data;
  const path = read.error.issues[0]?.path.join(".") ?? "";
  throw new Error(`${named} answered a body that is not as expected at ${path === "" ? "its root" : path}`);
}

function jsonIn(text: string, named: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${named} answered a body that is not JSON`);
  }
}
