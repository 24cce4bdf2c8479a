import { setTimeout as sleep } from "node:timers/promises";
import type { Answered } from "./documented.ts";

/** An answer; `body` is what the JSON came to. Tests look into it with `at`. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

type ExtraHeaders = Readonly<Record<string, string>>;

/** What the ids of requests look like. */
export const requestId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Calls one area of the service with one caller's credentials. */
export interface Client {
  get(path: string, headers?: ExtraHeaders): Promise<Answer>;
  post(path: string, body?: unknown, headers?: ExtraHeaders): Promise<Answer>;
  put(path: string, body?: unknown, headers?: ExtraHeaders): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: ExtraHeaders): Promise<Answer>;
  /** Sends a body as it is, with the headers given. */
  send(
    method: string,
    path: string,
    body: string | Buffer<ArrayBuffer> | undefined,
    headers?: ExtraHeaders,
  ): Promise<Answer>;
}

/** Looks at a call before it is made. @throws where the call must not be made */
export type Guard = (path: string, body: string | undefined) => void;

/** Checks an answer before the test does. @throws if the service must not answer so */
export type AnswerCheck = (answer: Answered) => void;

/** What looks at every call of a client, and at every answer. */
export interface Watch {
  readonly guard?: Guard | undefined;
  readonly checkAnswer?: AnswerCheck | undefined;
}

export function client(base: string, credentials: ExtraHeaders, { guard, checkAnswer }: Watch = {}): Client {
  const send: Client["send"] = async (method, path, body, headers = {}) => {
    guard?.(base + path, body?.toString());
    const init = { method, headers: { ...credentials, ...headers }, ...(body === undefined ? {} : { body }) };
    const response = await fetch(base + path, init);
    const { status, url, headers: answered } = response;
    const text = await response.text();
    checkAnswer?.({ method, url, status, headers: answered, text });
    return {
      status,
      headers: answered,
      body: text === "" ? undefined : JSON.parse(text),
    };
  };
  const json = { "content-type": "application/json" };
  const withBody =
    (method: string): Client["post"] =>
    (path, body, headers = {}) =>
      send(method, path, body === undefined ? undefined : JSON.stringify(body), { ...json, ...headers });
  return {
    get: (path, headers) => send("GET", path, undefined, headers),
    post: withBody("POST"),
    put: withBody("PUT"),
    patch: withBody("PATCH"),
    send,
  };
}

/**
 * A client that waits and sends a call again while it is answered 429, as clients should. It is for tests in
 * which callers collide: on a busy machine their transactions take long, and some may not wait that long.
 */
export function patient(client: Client): Client {
  const again =
    <A extends readonly unknown[]>(send: (...call: A) => Promise<Answer>) =>
    async (...call: A): Promise<Answer> => {
      for (;;) {
        const answer = await send(...call);
        if (answer.status !== 429) return answer;
        await sleep(1000 * Number(answer.headers.get("retry-after")));
      }
    };
  return {
    get: again(client.get),
    post: again(client.post),
    put: again(client.put),
    patch: again(client.patch),
    send: again(client.send),
  };
}

/** The value at a dotted path (`data.0.order_id`); undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((place, step) => {
    if (Array.isArray(place)) return place[Number(step)];
    if (typeof place !== "object" || place === null) return undefined;
    return Object.entries(place).find(([name]) => name === step)?.[1];
  }, value);
}

/** The number at a dotted path. */
export function numberAt(value: unknown, path: string): number {
  const found = at(value, path);
  if (typeof found !== "number") throw new Error(`${path} is no number: ${JSON.stringify(found)}`);
  return found;
}

/** The list at a dotted path. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = at(value, path);
  if (!Array.isArray(found)) throw new Error(`${path} is no list: ${JSON.stringify(found)}`);
  return found;
}
