import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { TableDefinition } from "../assembly/tables.ts";
import { readBody } from "../http-messages.ts";
import { parseJson } from "../json.ts";
import { listen } from "../ports.ts";
import {
  accessDenied,
  conflict,
  internalError,
  throttled,
  unknownCaller,
  unknownOperation,
} from "./answers.ts";
import { CallLog } from "./calls.ts";
import { type Measured, measure } from "./capacity/meter.ts";
import { Conflicts } from "./conflicts.ts";
import { type FaultEffect, Faults } from "./faults.ts";
import { type Forwarded, Upstream, type Upstreams } from "./forward.ts";
import { LeadingKeys } from "./leading-keys.ts";
import { readOperation } from "./operations.ts";
import {
  answerError,
  type Caller,
  describeCall,
  type Ending,
  errorOf,
  type ProxiedRequest,
  refuse,
} from "./proxied-request.ts";

/** Bytes of the largest body: more than any request that DynamoDB (16 MB) or SQS (1 MB) takes. */
const maxBodyBytes = 32 * 1024 * 1024;

/**
 * Stands between the functions and their data: rejects what a function's role does not grant, records every
 * call, and lets tests make requests fail. Everything else passes unchanged.
 */
export class DataProxy {
  readonly calls = new CallLog();
  readonly faults = new Faults();
  /** Whether to compute what AWS would charge for each operation on a table, by more requests to DynamoDB. */
  recordsCapacity = false;
  /** Whether writes conflict with transactions in progress, as in DynamoDB. */
  raisesConflicts = false;
  /** How long every request waits before it is forwarded. */
  latencyMs = 0;
  readonly #callers = new Map<string, Caller>();
  readonly #server: Server;
  readonly #upstream = new Upstream();
  readonly #conflicts = new Conflicts();
  /** Requests in progress. */
  readonly #passing = new Set<Promise<void>>();
  #tables: readonly TableDefinition[] = [];
  #leadingKeys = new LeadingKeys([]);
  /** Called with a queue's name when a message was sent to it. */
  onSend: (queue: string) => void = () => undefined;
  /** Called with the names of tables that were written to. */
  onWrite: (tables: readonly string[]) => void = () => undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      const passing = this.#pass(request, response).catch(() => void response.destroy());
      this.#passing.add(passing);
      void passing.finally(() => this.#passing.delete(passing));
    });
    // Functions keep idle connections open. A connection that this server closes would look like a lost
    // response.
    this.#server.keepAliveTimeout = 0;
  }

  /** Begins to listen before there is a server to forward to, because the templates need the address. */
  listen(): Promise<number> {
    return listen(this.#server, 0);
  }

  /** Sets the tables. Without them, a request that must name a partition key is rejected. */
  know(tables: readonly TableDefinition[]): void {
    this.#tables = tables;
    this.#leadingKeys = new LeadingKeys(tables);
  }

  /** Sets the servers to forward to. Earlier requests wait for this. */
  connect(upstreams: Upstreams): void {
    this.#upstream.connect(upstreams);
  }

  /** Stops faults, latency, conflicts, and the computation of costs. */
  calm(): void {
    this.faults.clear();
    this.latencyMs = 0;
    this.raisesConflicts = false;
    this.recordsCapacity = false;
  }

  /** Waits for the requests in progress, including those of instances that have ended. */
  async quiet(): Promise<void> {
    await Promise.all(this.#passing);
  }

  /** Waits for the requests in progress, and drops all calls. */
  async forget(): Promise<void> {
    await this.quiet();
    this.calls.clear();
  }

  /**
   * Registers an access key. It stays registered after its instance has ended, for requests that are still in
   * progress.
   */
  register(accessKeyId: string, caller: Caller): void {
    this.#callers.set(accessKeyId, caller);
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    this.#upstream.close();
    await closed;
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = performance.now();
    const body = await readBody(request, maxBodyBytes);
    const caller = this.#callers.get(
      /Credential=([^/]+)\//.exec(request.headers.authorization ?? "")?.[1] ?? "",
    );
    if (caller === undefined) return refuse(response, unknownCaller());
    const input = parseJson(body.toString("utf8"));
    const operation = readOperation(String(request.headers["x-amz-target"] ?? ""), input, this.#leadingKeys);
    if (operation === undefined) return refuse(response, unknownOperation());
    const { requestId } = caller;
    const proxied = { request, response, caller, requestId, operation, body, input, start };
    if (caller.isLoading) return this.#serveLoading(proxied);
    const finish = this.raisesConflicts ? this.#conflicts.begin(operation, input) : () => undefined;
    const ending =
      finish === undefined
        ? answerError(response, conflict(operation))
        : await this.#end(proxied).finally(finish);
    this.calls.add(describeCall(proxied, ending));
  }

  /** Requests of a function that is loading are not recorded, delayed or made to fail. */
  async #serveLoading(proxied: ProxiedRequest): Promise<void> {
    const { request, response, operation, body } = proxied;
    const denial = denialOf(proxied);
    if (denial !== undefined) return refuse(response, denial);
    const answer = await this.#upstream.send(operation.service, request.headers, body);
    response.writeHead(answer.status, { ...answer.headers, "content-length": answer.body.length });
    response.end(answer.body);
  }

  async #end(proxied: ProxiedRequest): Promise<Ending> {
    const { caller, operation, response } = proxied;
    const denial = denialOf(proxied);
    if (denial !== undefined) return answerError(response, denial);
    const fault = this.faults.strike(caller.definition.functionName, operation);
    if (fault !== undefined) return { ...(await this.#fail(proxied, fault)), fault };
    return this.#forward(proxied);
  }

  async #fail(proxied: ProxiedRequest, fault: FaultEffect): Promise<Ending> {
    const { operation, response, caller } = proxied;
    if (fault === "throttle") return answerError(response, throttled(operation));
    if (fault === "conflict") return answerError(response, conflict(operation));
    if (fault === "error") return answerError(response, internalError(operation));
    if (fault === "duplicate") {
      await this.#send(proxied);
      return this.#forward(proxied);
    }
    if (fault === "kill-before") caller.kill();
    if (fault === "kill-during") await this.#sendFor(caller, proxied);
    if (fault === "lose-response" || fault === "kill-after") await this.#send(proxied);
    if (fault === "kill-after") caller.kill();
    response.destroy();
    return { status: 0 };
  }

  /** Carries out a request whose caller is killed while the request is in progress. */
  async #sendFor(caller: Caller, proxied: ProxiedRequest): Promise<void> {
    const sent = this.#send(proxied);
    caller.kill();
    await sent;
  }

  async #forward(proxied: ProxiedRequest): Promise<Ending> {
    const { answer, charges } = await this.#carryOut(proxied);
    const { status, headers, body } = answer;
    proxied.response.writeHead(status, { ...headers, "content-length": body.length });
    proxied.response.end(body);
    return { status, charges, ...(status >= 400 && { error: errorOf(body) }) };
  }

  async #carryOut(proxied: ProxiedRequest): Promise<Measured> {
    const { input, operation, request } = proxied;
    const send = (): Promise<Forwarded> => this.#send(proxied);
    if (!this.recordsCapacity || operation.service !== "dynamodb")
      return { answer: await send(), charges: [] };
    const ask = (name: string, asked: object) => this.#upstream.ask(request.headers, name, asked);
    return measure({ name: operation.name, input, tables: this.#tables, ask }, send);
  }

  async #send({ request, operation, body }: ProxiedRequest): Promise<Forwarded> {
    if (this.latencyMs > 0) await delay(this.latencyMs);
    const answer = await this.#upstream.send(operation.service, request.headers, body);
    if (operation.queue !== undefined && operation.name.startsWith("SendMessage"))
      this.onSend(operation.queue);
    if (operation.writes) this.onWrite(operation.tables);
    return answer;
  }
}

/** The answer to a request that its function's role does not grant; undefined if the role grants it. */
function denialOf({ caller: { definition }, operation }: ProxiedRequest) {
  const missing = definition.permissions.missing(operation.permissions);
  return missing === undefined ? undefined : accessDenied(definition.role, definition.functionName, missing);
}
