/**
 * `npm run bench:scale [-- --only lists|life|creates|competing|past|kept]`: what the service
 * reaches for one account, beside what it is to reach. Counts and capacity units do not depend on the
 * machine; latencies do. Exits with 1 where a goal is missed.
 */
import { parseArgs } from "node:util";
import { competing } from "./scale/competing.ts";
import { creates } from "./scale/creates.ts";
import { type Figure, type Part, type PartName, parts, tableOf } from "./scale/figures.ts";
import { kept } from "./scale/kept.ts";
import { life } from "./scale/life.ts";
import { lists } from "./scale/lists.ts";
import { past } from "./scale/past.ts";

const { values } = parseArgs({ options: { only: { type: "string", multiple: true, default: [...parts] } } });
const chosen = parts.filter((name) => values.only.includes(name));
if (chosen.length === 0) throw new Error(`--only takes ${parts.join(", ")}`);

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const work: Readonly<Record<PartName, Part>> = { lists, life, creates, competing, past, kept };

const figures: Figure[] = [];
for (const name of chosen) {
  const start = performance.now();
  figures.push(...(await work[name](print)));
  print(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s\n`);
}
print(tableOf(figures));
process.exit(figures.every(({ held }) => held) ? 0 : 1);
