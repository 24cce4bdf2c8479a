/** Sends HTTP requests to the deployed service with the credentials of one client. */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";

type Headers = Readonly<Record<string, string>>;

/** A request, without the headers that all requests of the client have. */
export interface ApiRequest {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
  readonly headers?: Headers;
}

/** How often a request is sent, if the response is 429. */
const maxAttempts = 5;

/** API Gateway responds within 30 seconds. */
const timeoutMs = 35_000;

export class ApiClient {
  readonly #url: string;
  readonly #headers: Headers;

  constructor(url: string, headers: Headers) {
    this.#url = url.replace(/\/+$/, "");
    this.#headers = headers;
  }

  /** The body of a successful response. @throws as `request` */
  async call<T>(schema: z.ZodMiniType<T>, request: ApiRequest): Promise<T> {
    const { body } = await this.request(schema, request);
    return body;
  }

  /**
   * Sends a request, and retries it after 429.
   * @throws if the status is not 200, or the body does not match the schema
   */
  async request<T>(schema: z.ZodMiniType<T>, request: ApiRequest) {
    const title = `${request.method ?? "POST"} ${request.path}`;
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#send(request, title);
      const text = await response.text();
      const { status, headers } = response;
      if (status === 429 && attempt < maxAttempts) {
        await sleep(1000 * Number(headers.get("retry-after") ?? 1));
        continue;
      }
      if (status !== 200) throw new Error(`${title} returned ${status}: ${text.slice(0, 500)}`);
      return { body: bodyOf(schema, text, title), headers };
    }
  }

  async #send({ method = "POST", path, body, headers }: ApiRequest, title: string): Promise<Response> {
    try {
      return await fetch(this.#url + path, {
        method,
        headers: { "content-type": "application/json", ...this.#headers, ...headers },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new Error(`${title} got no response from ${this.#url}: ${reasonOf(error)}`);
    }
  }
}

/** `fetch` states the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** An error names the path of the mismatch and never the value, which could be a key or a token. */
function bodyOf<T>(schema: z.ZodMiniType<T>, text: string, title: string): T {
  const parsed = z.safeParse(schema, jsonIn(text, title));
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new Error(`${title} returned an unexpected body at ${path === "" ? "its root" : path}`);
}

function jsonIn(text: string, title: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${title} returned a body that is not JSON`);
  }
}
