/** How fast a webhook sends what has gathered, to a receiver that answers at once. */
import { setTimeout as sleep } from "node:timers/promises";
import { numberAt } from "../../support/http/client.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import type { Deployment } from "../scale/deployment.ts";
import { createOver, latestOf } from "./delay.ts";

/** Milliseconds between two looks at what has come. */
const betweenLooks = 20;

export interface Sending {
  readonly events: number;
  readonly seconds: number;
  /** Write and read units of the database. */
  readonly units: number;
}

/** Has a new webhook sent all events that the feed keeps. */
export async function sendBacklog(deployment: Deployment): Promise<Sending> {
  const { oms, runtime } = deployment;
  const events = await latestOf(deployment);
  const receiver = await startReceiver((_request, response) => void response.writeHead(204).end());
  const created = await createOver(deployment, "/webhooks", { url: receiver.url });
  runtime.recordCapacity(true);
  const mark = runtime.mark();
  const began = performance.now();
  await oms.post(`/webhooks/${numberAt(created, "data.webhook_id")}/replay?after=0`);
  while (new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size < events)
    await sleep(betweenLooks);
  const seconds = (performance.now() - began) / 1000;
  await runtime.settled();
  const { writeUnits, readUnits } = runtime.summary(mark);
  runtime.recordCapacity(false);
  await receiver.close();
  return { events, seconds, units: writeUnits + readUnits };
}
