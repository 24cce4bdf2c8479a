import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { BodyTooLarge, readBody } from "../http-messages.ts";
import { withoutUndefined } from "../json.ts";
import { listen } from "../ports.ts";
import { buildEvent, type IncomingCall, splitTarget } from "./event.ts";
import { gatewayAnswer, type HttpAnswer, internalServerError, readAnswer } from "./response.ts";
import type { Router } from "./routes.ts";

/** The target of a route. */
export interface Integration {
  /** @returns the function's answer as JSON */
  invoke(event: unknown): Promise<string>;
  readonly timeoutMs: number;
}

/** Maximum bytes of a body in API Gateway. */
const maxBodyBytes = 10 * 1024 * 1024;

/**
 * Maximum bytes of the request line and all header values in API Gateway, which documents no status for more.
 */
const maxHeaderBytes = 10_240;

/** Maximum bytes of an event and of an answer in Lambda: 6 MB. */
const maxPayloadBytes = 6 * 1024 * 1024;

/** How long an idle connection of a client stays open. */
const keepAliveMs = 60_000;

/** Serves the routes like API Gateway's HTTP API does. */
export class HttpApi {
  readonly #router: Router<Integration>;
  readonly #server: Server;

  constructor(router: Router<Integration>) {
    this.#router = router;
    this.#server = createServer((request, response) => {
      this.#answer(request)
        .catch(() => internalServerError())
        .then((answer) => write(response, answer));
    });
    this.#server.keepAliveTimeout = keepAliveMs;
  }

  listen(port: number): Promise<number> {
    return listen(this.#server, port);
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage): Promise<HttpAnswer> {
    const call = await receive(request);
    if (headerBytes(request) > maxHeaderBytes) return gatewayAnswer(431, "Request Header Fields Too Large");
    const target = splitTarget(call?.target ?? "");
    if (call === undefined) return gatewayAnswer(413, "Request Entity Too Large");
    if (target === undefined) return gatewayAnswer(400, "Bad Request");
    const match = this.#router.match(call.method, target.path);
    if (match === undefined) return gatewayAnswer(404, "Not Found");
    const event = buildEvent(call, target.path, target.query, match);
    if (Buffer.byteLength(JSON.stringify(event)) > maxPayloadBytes)
      return gatewayAnswer(413, "Request Entity Too Large");
    const answer = await within(match.target.timeoutMs, match.target.invoke(event));
    const { status, headers, body } = answer ?? gatewayAnswer(503, "Service Unavailable");
    return { status, headers: { ...headers, "apigw-requestid": event.requestContext.requestId }, body };
  }
}

const receive = async (request: IncomingMessage): Promise<IncomingCall | undefined> => {
  try {
    const body = await readBody(request, maxBodyBytes);
    return {
      method: request.method ?? "GET",
      target: request.url ?? "/",
      headers: withoutUndefined(request.headersDistinct),
      sourceIp: request.socket.remoteAddress ?? "",
      body,
      at: new Date(),
    };
  } catch (error) {
    if (error instanceof BodyTooLarge) return undefined;
    throw error;
  }
};

const headerBytes = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): number => {
  const values = rawHeaders.filter((_, position) => position % 2 === 1);
  return Buffer.byteLength([`${method} ${url} HTTP/${httpVersion}`, ...values].join(""));
};

/** A function's answer; `undefined` if it takes too long. Every failure is an internal server error. */
const within = (milliseconds: number, invoked: Promise<string>): Promise<HttpAnswer | undefined> => {
  const ended = new AbortController();
  const limit = delay(milliseconds, undefined, { signal: ended.signal });
  const answered = invoked.then(checkSize, internalServerError);
  return Promise.race([answered, limit]).finally(() => ended.abort());
};

const checkSize = (payload: string): HttpAnswer =>
  Buffer.byteLength(payload) > maxPayloadBytes ? internalServerError() : readAnswer(payload);

const write = (response: ServerResponse, { status, headers, body }: HttpAnswer): void => {
  const bodiless = status === 204 || status === 304;
  response.writeHead(status, {
    ...Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
    ),
    ...(!bodiless && { "content-length": String(body.length) }),
  });
  response.end(bodiless ? undefined : body);
};
