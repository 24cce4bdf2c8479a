/** A receiver of webhooks on this machine. */
import type { RequestListener } from "node:http";
import { listen } from "../../../infra/operator/smoke/receiver.ts";

/** What came, as it came. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** Begins to receive. `answer` may leave requests without an answer. */
export async function startReceiver(answer: RequestListener): Promise<Receiver> {
  const received: Received[] = [];
  const { origin, close } = await listen((request, body, response) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    received.push({ path: request.url ?? "", headers: Object.fromEntries(headers), body });
    answer(request, response);
  });
  return { url: `${origin}/hooks-of-the-shop?key=in-the-query`, received, close };
}
