/** Calls over HTTP to a service that may be killed at any time, and what is known of their outcomes. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { demoMasterKey, demoStore } from "../../infra/demo/registry.ts";
import { type Answer, type Client, client } from "../support/http/client.ts";
import { whole } from "../support/http/random.ts";
import type { ServiceProcess } from "./service-process.ts";

export interface Request {
  readonly area: "oms" | "wms" | "mobile";
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call with all its attempts. Times count the beginnings and ends of all calls. */
export interface Exchange {
  began: number;
  /** When the answer came; else when the process died that carried the call out, or infinity. */
  ended: number;
  /** Undefined if the outcome is unknown. */
  answer: Answer | undefined;
  /** Whether an attempt before the last one may have been carried out. */
  isRetried: boolean;
}

/** What is counted of a run. */
export interface Counts {
  attempts: number;
  answered: number;
  refused: number;
  throttled: number;
  interrupted: number;
  replayed: number;
}

const maxThrottledMs = 1_000;

/** Answers 429 to one read that are a finding. */
const maxBusy = 30;

/** Answers 5xx to one call, but for timeouts, that are a finding if nothing is killed. */
const maxFailures = 5;

/** Answers that differ if they are retried, and say so: nothing has been stored. */
const isTransient = ({ status }: Answer): boolean => status === 429;

export class Calls {
  readonly random: () => number;
  readonly counts: Counts = {
    attempts: 0,
    answered: 0,
    refused: 0,
    throttled: 0,
    interrupted: 0,
    replayed: 0,
  };
  readonly findings = new Map<string, string>();
  /** Headers of a user of the mobile application who signed in. */
  session: Readonly<Record<string, string>> = {};
  readonly #service: ServiceProcess;
  #time = 0;
  /** Calls with a key that were answered, to be sent once more later. */
  readonly #answered: {
    readonly request: Request;
    readonly key: string;
    readonly sending: Promise<Exchange>;
  }[] = [];
  /** How often calls were answered 5xx while the service ran. */
  readonly #failures = new WeakMap<Request, number>();
  /** Calls without an outcome whose process may still run. */
  #open: Exchange[] = [];

  constructor(service: ServiceProcess, random: () => number) {
    this.#service = service;
    this.random = random;
  }

  get now(): number {
    this.#time += 1;
    return this.#time;
  }

  /** Notes a broken rule, once for each key: `rule` by itself, or with the record that it concerns. */
  find(key: string, text: string = key): void {
    if (!this.findings.has(key)) process.stderr.write(`finding: ${text}\n`);
    this.findings.set(key, text);
  }

  /** The service was killed: what had no answer by then does not go on. */
  processEnded(): void {
    for (const exchange of this.#open) exchange.ended = this.now;
    this.#open = [];
  }

  /**
   * Reads until there is an answer, which is that of the last attempt alone.
   * @throws Error if the read is refused, or the service is too busy for it each time
   */
  async read(request: Request): Promise<Exchange & { readonly answer: Answer }> {
    for (let busy = 0; ; ) {
      const began = this.now;
      const answer = await this.#attempt(request, {});
      if (answer === undefined) continue;
      if (isTransient(answer) && busy < maxBusy) {
        busy += 1;
        continue;
      }
      if (answer.status !== 200)
        throw new Error(`GET ${request.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return { began, ended: this.now, answer, isRetried: false };
    }
  }

  /**
   * Writes. With a key, most calls are retried until they are answered; without one, only what was certainly
   * not carried out is sent again.
   */
  async write(request: Request, { isKeyed = true, mayGiveUp = true } = {}): Promise<Exchange> {
    if (!isKeyed) return this.#send(request, {}, true);
    const key = randomUUID();
    const givesUp = mayGiveUp && this.random() < 0.15;
    const sending = this.#send(request, keyOf(key), givesUp);
    // Some clients send a call again while its first attempt may still run.
    const isSentTwice = !givesUp && this.random() < 0.1;
    const again = isSentTwice ? this.#repeat(request, key, sending) : undefined;
    const exchange = await sending;
    await again;
    if (exchange.answer !== undefined && this.random() < 0.05) this.#answered.push({ request, key, sending });
    return exchange;
  }

  /** Sends a call again that was answered earlier, maybe by another process. */
  async repeat(): Promise<void> {
    const { request, key, sending } = this.#answered[Math.floor(this.random() * this.#answered.length)] ?? {};
    if (request !== undefined && key !== undefined && sending !== undefined)
      await this.#repeat(request, key, sending);
  }

  /** Sends a call once more with its key, and expects the answer that the client has, or is going to get. */
  async #repeat(request: Request, key: string, sending: Promise<Exchange>): Promise<void> {
    await sleep(whole(this.random, 0, 400));
    const [one, other] = await Promise.all([sending, this.#send(request, keyOf(key), false)]);
    this.counts.replayed += 1;
    if (one.answer === undefined || other.answer === undefined) return;
    const [first, second] = [one.answer, other.answer].map(
      ({ status, body }) => `${status} ${JSON.stringify(body)}`,
    );
    const call = `${request.method} ${request.path}`;
    if (first !== second)
      this.find(
        `${call}: two answers to one Idempotency-Key`,
        `${call} with one Idempotency-Key: ${first} and ${second}`,
      );
  }

  async #send(
    request: Request,
    headers: Readonly<Record<string, string>>,
    givesUp: boolean,
  ): Promise<Exchange> {
    const exchange: Exchange = {
      began: this.now,
      ended: Number.POSITIVE_INFINITY,
      answer: undefined,
      isRetried: false,
    };
    for (;;) {
      const answer = await this.#attempt(request, headers);
      if (answer !== undefined && !isTransient(answer))
        return Object.assign(exchange, { answer, ended: this.now });
      if (answer !== undefined) continue;
      exchange.isRetried = true;
      if (givesUp) {
        this.#open.push(exchange);
        return exchange;
      }
      await sleep(whole(this.random, 0, 500));
    }
  }

  /** Sends a call once the service runs. Returns its answer, or undefined if the outcome is unknown. */
  async #attempt(request: Request, headers: Readonly<Record<string, string>>): Promise<Answer | undefined> {
    for (;;) {
      await this.#service.whenUp;
      this.counts.attempts += 1;
      const wasUp = this.#service.isUp;
      try {
        const { method, path, body } = request;
        const text = body === undefined ? undefined : JSON.stringify(body);
        const answer = await this.#client(request).send(method, path, text, {
          ...request.headers,
          ...headers,
        });
        if (answer.status === 429) {
          this.counts.throttled += 1;
          await sleep(Math.min(1_000 * Number(answer.headers.get("retry-after") ?? 0.1), maxThrottledMs));
        }
        if (answer.status < 500) {
          this.counts.answered += 1;
          return answer;
        }
        if (wasUp && this.#service.isUp && answer.status !== 503) this.#noteFailure(request, answer);
        this.counts.interrupted += 1;
        return undefined;
      } catch (error) {
        if (isRefused(error)) {
          this.counts.refused += 1;
          await sleep(50);
          continue;
        }
        this.counts.interrupted += 1;
        return undefined;
      }
    }
  }

  /** A busy machine makes functions (503) and calls to DynamoDB Local time out, the latter not each time. */
  #noteFailure(request: Request, { status, body }: Answer): void {
    const failures = (this.#failures.get(request) ?? 0) + 1;
    this.#failures.set(request, failures);
    const call = `${request.method} ${request.path}`;
    if (failures === maxFailures)
      this.find(
        `${call}: ${status}`,
        `${call} was answered ${status} ${failures} times: ${JSON.stringify(body)}`,
      );
  }

  #client({ area }: Request): Client {
    const { url } = this.#service;
    const json = { "content-type": "application/json" };
    if (area === "oms")
      return client(`${url}/apirest/v4/oms`, {
        ...json,
        AccountID: String(demoStore.account_id),
        Key: demoStore.key,
      });
    if (area === "wms")
      return client(`${url}/apirest/v4/wms`, { ...json, userName: "manager", Key: demoMasterKey });
    return client(`${url}/apiv2`, { ...json, ...this.session });
  }
}

const keyOf = (key: string) => ({ "idempotency-key": key });

/** Whether nothing listened, so that nothing was sent. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  "code" in error.cause &&
  error.cause.code === "ECONNREFUSED";
