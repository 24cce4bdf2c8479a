/** Sends HTTP requests to the deployed service with the credentials of one client. */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";

type Headers = Readonly<Record<string, string>>;

/** How often a request is sent, if the response is 429. */
const maxAttempts = 5;

/** API Gateway responds within 30 seconds. */
const timeoutMs = 35_000;

export class ApiClient {
  readonly #url: string;
  readonly #headers: Headers;

  constructor(url: string, headers: Headers) {
    this.#url = url.replace(/\/+$/, "");
    this.#headers = { "content-type": "application/json", ...headers };
  }

  /** The body of a response. @throws as `send` */
  async get<T>(schema: z.ZodMiniType<T>, path: string): Promise<T> {
    return (await this.send(schema, path, { method: "GET" })).body;
  }

  /** The body of a response. @throws as `send` */
  async post<T>(schema: z.ZodMiniType<T>, path: string, body: object): Promise<T> {
    return (await this.send(schema, path, { method: "POST", body: JSON.stringify(body) })).body;
  }

  /**
   * Sends a request, and retries it after 429.
   * @throws if the status is not 200, or the body does not match the schema
   */
  async send<T>(
    schema: z.ZodMiniType<T>,
    path: string,
    { headers: more, ...request }: Pick<RequestInit, "method" | "body"> & { readonly headers?: Headers },
  ) {
    const title = `${request.method} ${path}`;
    for (let attempt = 1; ; attempt += 1) {
      const signal = AbortSignal.timeout(timeoutMs);
      const sent = { ...request, headers: { ...this.#headers, ...more }, signal };
      const response = await fetch(this.#url + path, sent).catch((error: unknown) => {
        throw new Error(`${title} got no response from ${this.#url}: ${reasonOf(error)}`);
      });
      const text = await response.text();
      const { status, headers } = response;
      if (status === 200) return { body: bodyOf(schema, text, title), headers };
      if (status !== 429 || attempt === maxAttempts)
        throw new Error(`${title} returned ${status}: ${text.slice(0, 500)}`);
      await sleep(1000 * Number(headers.get("retry-after") ?? 1));
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
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Error(`${title} returned a body that is not JSON`);
  }
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new Error(`${title} returned an unexpected body at ${path === "" ? "its root" : path}`);
}
