import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import type { Service } from "./operations.ts";

export interface Forwarded {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Headers that concern one connection, not the message. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "host",
]);

/** The servers drop idle connections after 30 seconds; dropping ours before avoids writing into a closed one. */
const idleMilliseconds = 10_000;

/** Hands requests on to one server, over connections that stay open. */
class Forwarder {
  readonly #agent = new Agent({ keepAlive: true, timeout: idleMilliseconds, maxSockets: 256 });
  readonly #endpoint: string;

  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  send(headers: IncomingHttpHeaders, body: Buffer): Promise<Forwarded> {
    const sentHeaders = { ...withoutHops(headers), "content-length": body.length };
    return new Promise((resolve, reject) => {
      const sent = request(
        this.#endpoint,
        { method: "POST", headers: sentHeaders, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const all = withoutHops(response.headers);
            resolve({ status: response.statusCode ?? 502, headers: all, body: Buffer.concat(chunks) });
          });
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

const withoutHops = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));

/** Where the servers are. */
export type Upstreams = Readonly<Record<Service, string>>;

/** The servers behind the proxy. */
export class Upstream {
  readonly #forwarders = Promise.withResolvers<Readonly<Record<Service, Forwarder>>>();
  #close: () => void = () => undefined;

  connect({ dynamodb, sqs }: Upstreams): void {
    const forwarders = { dynamodb: new Forwarder(dynamodb), sqs: new Forwarder(sqs) };
    this.#forwarders.resolve(forwarders);
    this.#close = () => {
      forwarders.dynamodb.close();
      forwarders.sqs.close();
    };
  }

  /** Waits until the servers are known. */
  async send(service: Service, headers: IncomingHttpHeaders, body: Buffer): Promise<Forwarded> {
    const forwarders = await this.#forwarders.promise;
    return forwarders[service].send(headers, body);
  }

  close(): void {
    this.#close();
  }
}
