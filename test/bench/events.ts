/**
 * `npm run bench:events`: what publishing an account's changes costs, how fast it goes, and how long after a
 * write its event is in the feed, and with the receivers of webhooks. Units and transactions do not depend on
 * the machine; times do.
 */
import { loopbackVariable } from "../../shared/runtime/shared-names.ts";
import { sendBacklog } from "./events/backlog.ts";
import { delayToFeed } from "./events/delay.ts";
import { publishMany } from "./events/publishing.ts";
import { delayToReceivers } from "./events/receivers.ts";
import { deployed } from "./scale/deployment.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const rounded = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

const options = { streams: true, environment: { [loopbackVariable]: "allowed" } };

await deployed(options, async (deployment) => {
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
  const sent = await sendBacklog(deployment);
  print(
    `one webhook is sent ${sent.events} events in ${rounded(sent.seconds)} s: ${rounded(sent.events / sent.seconds)} a second; ` +
      `an event takes ${rounded(sent.units / sent.events)} units`,
  );
});

for (const [alive, withDead] of [
  [1, false],
  [19, true],
] as const)
  await deployed(options, async (deployment) => {
    const { webhooks, received, expected, p50, p99 } = await delayToReceivers(deployment, alive, withDead);
    const dead = withDead ? ", one of which never answers" : "";
    print(
      `with ${webhooks} ${webhooks === 1 ? "webhook" : "webhooks"}${dead}: ${received} of ${expected} events received; ` +
        `from the write's answer to the last living receiver: p50 ${rounded(p50)} ms, p99 ${rounded(p99)} ms`,
    );
  });
