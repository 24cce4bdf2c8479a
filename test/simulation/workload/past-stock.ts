/** Reads the stock of a moment. */
import type { Random } from "../schedule/random.ts";
import type { History } from "./history.ts";

export async function read(history: History, random: Random): Promise<void> {
  const { scheduler, store } = history.world;
  const ago = random.of([0, 0, 0, random.below(2_000), random.below(60_000), 310_000]);
  const as_of = new Date(scheduler.now - ago).toISOString();
  const named = random.happens(0.5) ? { sku: "DEMO-TEE,DEMO-MUG" } : {};
  const before = store.changes.length;
  const answer = await history.send(random, "listStock", { query: { as_of, ...named } });
  if (answer?.status !== 200) return;
  history.pastReads.push({ as_of, body: answer.body, before, after: store.changes.length });
}
