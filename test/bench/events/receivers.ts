/**
 * How long after a write a receiver has its event, with one webhook and with twenty, of which one leads
 * nowhere.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import type { Deployment } from "../scale/deployment.ts";
import { createOver, createProduct, type Delay, delayOf } from "./delay.ts";

const writes = 100;

/** Milliseconds between two writes, and between two looks at what has come. */
const [betweenWrites, betweenLooks] = [50, 5];

/** What receivers saw. */
export interface Receiving extends Delay {
  readonly webhooks: number;
  /** Events that came, and how many ought to have come. */
  readonly received: number;
  readonly expected: number;
}

/** Has so many webhooks receive what happens, and one more that never answers, if it is wanted. */
export async function delayToReceivers(
  deployment: Deployment,
  alive: number,
  withDead: boolean,
): Promise<Receiving> {
  // What the demo data made known would come, too.
  await deployment.runtime.settled();
  const receivers: Receiver[] = [];
  for (let count = 0; count < alive; count += 1) {
    const receiver = await startReceiver((_request, response) => void response.writeHead(204).end());
    receivers.push(receiver);
    await createOver(deployment, "/webhooks", { url: receiver.url, types: ["product.created"] });
  }
  const dead = await startReceiver(() => undefined);
  if (withDead) await createOver(deployment, "/webhooks", { url: dead.url, types: ["product.created"] });
  const count = () => receivers.map(({ received }) => received.length);
  const delays: number[] = [];
  for (let write = 1; write <= writes; write += 1) {
    await createProduct(deployment);
    const written = performance.now();
    while (count().some((come) => come < write)) await sleep(betweenLooks);
    delays.push(performance.now() - written);
    await sleep(betweenWrites);
  }
  const received = count().reduce((sum, come) => sum + come, 0);
  await Promise.all([...receivers, dead].map((receiver) => receiver.close()));
  return { ...delayOf(delays), webhooks: alive + (withDead ? 1 : 0), received, expected: writes * alive };
}
