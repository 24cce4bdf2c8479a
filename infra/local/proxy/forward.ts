import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { post } from "../http-messages.ts";
import { isObject, parseJson } from "../json.ts";
import type { Service } from "./operations.ts";

export interface Forwarded {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Headers about one connection rather than the message. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "host",
]);

/**
 * The servers drop idle connections after 30 seconds. They are dropped earlier here, so that no request uses
 * a closed one.
 */
const idleMs = 10_000;

/** What answers the requests to one service. */
export interface Backend {
  send(headers: IncomingHttpHeaders, body: Buffer): Promise<Forwarded>;
  close(): void;
}

/** Forwards requests to one server, over persistent connections. */
class Forwarder implements Backend {
  readonly #agent = new Agent({ keepAlive: true, timeout: idleMs, maxSockets: 256 });
  readonly #endpoint: string;
  readonly #accessKeyId: (() => string) | undefined;

  /** @param accessKeyId the key with which requests are sent; by default, that of each request's sender */
  constructor(endpoint: string, accessKeyId?: () => string) {
    this.#endpoint = endpoint;
    this.#accessKeyId = accessKeyId;
  }

  async send(headers: IncomingHttpHeaders, body: Buffer): Promise<Forwarded> {
    const authorization = sentBy(this.#accessKeyId?.(), headers.authorization);
    const sent = { ...withoutHops(headers), authorization };
    const answer = await post(this.#endpoint, this.#agent, sent, body);
    return { ...answer, headers: withoutHops(answer.headers) };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A request as another sender's. The servers check no signature. */
const sentBy = (accessKeyId: string | undefined, authorization = ""): string =>
  accessKeyId === undefined
    ? authorization
    : authorization.replace(/Credential=[^/]+/, `Credential=${accessKeyId}`);

const withoutHops = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));

/** The addresses of the servers, and the backend in this process. */
export interface Upstreams {
  readonly dynamodb: { readonly endpoint: string; readonly accessKeyId: () => string };
  readonly sqs: string;
  readonly secretsmanager: Backend;
}

/** The services behind the proxy. */
export class Upstream {
  readonly #backends = Promise.withResolvers<Readonly<Record<Service, Backend>>>();
  #close: () => void = () => undefined;

  connect({ dynamodb, sqs, secretsmanager }: Upstreams): void {
    const { endpoint, accessKeyId } = dynamodb;
    const backends = {
      dynamodb: new Forwarder(endpoint, accessKeyId),
      sqs: new Forwarder(sqs),
      secretsmanager,
    };
    this.#backends.resolve(backends);
    this.#close = () => {
      for (const backend of Object.values(backends)) backend.close();
    };
  }

  /** Waits until the servers are known. */
  async send(service: Service, headers: IncomingHttpHeaders, body: Buffer): Promise<Forwarded> {
    const backends = await this.#backends.promise;
    return backends[service].send(headers, body);
  }

  /** Sends an additional request to DynamoDB, with the sender of the function's own. Returns the body. */
  async ask(headers: IncomingHttpHeaders, name: string, input: object): Promise<Record<string, unknown>> {
    const target = { ...headers, "x-amz-target": `DynamoDB_20120810.${name}` };
    const { body } = await this.send("dynamodb", target, Buffer.from(JSON.stringify(input)));
    const answer = parseJson(body.toString("utf8"));
    return isObject(answer) ? answer : {};
  }

  close(): void {
    this.#close();
  }
}
