/**
 * The webhook receiver of `npm start -- --webhook-sink`: prints each event in one line, with the result of
 * its signature.
 */
import type { IncomingMessage } from "node:http";
import * as z from "zod";
import { isSigned, listen } from "../operator/smoke/receiver.ts";
import { demoStore } from "./registry.ts";

export interface Sink {
  readonly url: string;
  readonly webhookId: number;
  stop(): Promise<void>;
}

/** Identifies the webhook of an earlier start, whose receiver no longer exists. */
const description = "npm start -- --webhook-sink";

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

const credentials = { AccountID: String(demoStore.account_id), Key: demoStore.key };

const webhooks = z.object({
  data: z.array(z.object({ webhook_id: z.int(), description: z.string().nullable() })),
});
const created = z.object({ data: z.object({ webhook_id: z.int(), secret: z.string() }) });

/** Registers the webhook, and removes the one of an earlier start. */
async function register(endpoint: string, url: string) {
  const { data } = webhooks.parse(await answerTo(endpoint, "GET"));
  for (const { webhook_id } of data.filter((one) => one.description === description))
    await answerTo(`${endpoint}/${webhook_id}`, "DELETE");
  return created.parse(await answerTo(endpoint, "POST", { data: { url, description } })).data;
}

async function answerTo(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: credentials,
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

function lineOf({ headers }: IncomingMessage, body: string, secret: string): string {
  const verdict = isSigned(headers, body, secret) ? "signature verified" : "SIGNATURE DOES NOT VERIFY";
  try {
    const { type, sequence, subject } = event.parse(JSON.parse(body));
    return `webhook  ${type}  ${subject.kind} ${subject.id}  sequence ${sequence}  ${verdict}`;
  } catch {
    return `webhook  no event  ${verdict}`;
  }
}
