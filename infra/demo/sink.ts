/**
 * A small receiver of webhooks, for trying them: it prints each delivery in one line, and whether its
 * signature holds.
 */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import * as z from "zod";
import { signedHeaders } from "../../shared/webhooks/signature.ts";
import { listen } from "./receiver.ts";
import { demoStore } from "./registry.ts";

/** A running receiver. */
export interface Sink {
  readonly url: string;
  readonly webhookId: number;
  stop(): Promise<void>;
}

/** By this description a sink finds the webhook of an earlier start, whose receiver is gone. */
const description = "npm start -- --webhook-sink";

/** Seconds that a delivery's time may differ from this machine's, as the standard's own libraries have it. */
const tolerance = 300;

/**
 * Starts a receiver on a free port of this machine, and registers it as a webhook of the demo store for all
 * events.
 */
export async function startSink(serviceUrl: string, print: (line: string) => void): Promise<Sink> {
  let secret = "";
  const receiver = await listen((request, body, response) => {
    print(lineOf(request, body, secret));
    response.writeHead(204).end();
  });
  const url = `${receiver.origin}/`;
  const registered = await register(`${serviceUrl}/apirest/v4/oms/webhooks`, url);
  secret = registered.secret;
  return { url, webhookId: registered.webhook_id, stop: receiver.close };
}

const headers = { AccountID: String(demoStore.account_id), Key: demoStore.key };

const webhooks = z.object({
  data: z.array(z.object({ webhook_id: z.int(), description: z.string().nullable() })),
});
const created = z.object({ data: z.object({ webhook_id: z.int(), secret: z.string() }) });

/** Registers a webhook in the place of that of an earlier start. */
async function register(endpoint: string, url: string) {
  const { data } = webhooks.parse(await answerTo(endpoint, "GET"));
  for (const { webhook_id } of data.filter((one) => one.description === description))
    await answerTo(`${endpoint}/${webhook_id}`, "DELETE");
  return created.parse(await answerTo(endpoint, "POST", { data: { url, description } })).data;
}

async function answerTo(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url} was answered ${response.status}`);
  return response.json();
}

const event = z.object({
  type: z.string(),
  sequence: z.int(),
  subject: z.object({ kind: z.string(), id: z.string() }),
});

function lineOf(request: IncomingMessage, body: string, secret: string): string {
  const verdict = isSigned(request, body, secret) ? "signature verified" : "SIGNATURE DOES NOT VERIFY";
  try {
    const { type, sequence, subject } = event.parse(JSON.parse(body));
    return `webhook  ${type}  ${subject.kind} ${subject.id}  sequence ${sequence}  ${verdict}`;
  } catch {
    return `webhook  no event  ${verdict}`;
  }
}

/**
 * Whether one of the signatures that came is the one that the secret makes, and the time is not long over.
 */
function isSigned({ headers: sent }: IncomingMessage, body: string, secret: string): boolean {
  const [id, timestamp] = [String(sent["webhook-id"]), Number(sent["webhook-timestamp"])];
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= tolerance)) return false;
  const expected = Buffer.from(signedHeaders({ id, timestamp, body }, [secret])["webhook-signature"]);
  return String(sent["webhook-signature"])
    .split(" ")
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}
