/**
 * `npm run bench:events`: what publishing an account's changes costs, how fast it goes, and how long after a write its event is
 * in the feed. Units and transactions do not depend on the machine; times do.
 */
import { delayToFeed } from "./events/delay.ts";
import { publishMany } from "./events/publishing.ts";
import { deployed } from "./scale/deployment.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const rounded = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

await deployed({ streams: true }, async (deployment) => {
  const { events, seconds, transactions, writeUnits, readUnits } = await publishMany(deployment);
  print(
    `published ${events} events of one account in ${rounded(seconds)} s: ${rounded(events / seconds)} a second`,
  );
  print(
    `an event takes ${rounded(transactions / events)} transactions, ${rounded(writeUnits / events)} write units and ` +
      `${rounded(readUnits / events)} read units`,
  );
  const { p50, p99 } = await delayToFeed(deployment);
  print(`from the write's answer to the feed: p50 ${rounded(p50)} ms, p99 ${rounded(p99)} ms`);
});
