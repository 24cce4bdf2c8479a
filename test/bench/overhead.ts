/**
 * `npm run bench:overhead [-- --only cold|warm|import|write]`: what the service costs against handlers that
 * are written by hand. The two read the same items with the same client, over TLS, in turns. They are bundled
 * with the same options of esbuild; what `lighter-bundles.ts` does is the service's own. All figures are
 * processor time of the function's process. Exits with 1 where a goal is missed.
 */
import { parseArgs } from "node:util";
import { numberAt } from "../support/http/client.ts";
import { orderOf } from "../support/records/records.ts";
import { allBundles, type BareBundles, bundleBare, bundleOf } from "./overhead/bundles.ts";
import {
  type Cold,
  type Contest,
  cold,
  imports,
  medians,
  type Pair,
  ratioOf,
  warm,
} from "./overhead/contest.ts";
import { eventOf } from "./overhead/events.ts";
import { surroundingsOf } from "./overhead/surroundings.ts";
import { writes } from "./overhead/writes.ts";
import { type Deployment, deployed } from "./scale/deployment.ts";
import { type Figure, quantile, tableOf } from "./scale/figures.ts";

const parts = ["cold", "warm", "import", "write"] as const;
const { values } = parseArgs({ options: { only: { type: "string", multiple: true, default: [...parts] } } });
const chosen = parts.filter((name) => values.only.includes(name));
if (chosen.length === 0) throw new Error(`--only takes ${parts.join(", ")}`);

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const inMilliseconds = (microseconds: number): string => (microseconds / 1000).toFixed(2);

/** Fresh processes of each side. All parts together take less than four minutes. */
const starts = 41;

/** Calls of a warm function: those that are not counted, and rounds of those that are. */
const calls = { before: 1_000, rounds: 15, calls: 350 };

/** How many functions are loaded again, those that loaded slowest, and how often. */
const loads = { slowest: 12, samples: 11 };

/**
 * Most that the service may take, by what a handler written by hand takes; and to load, by what the client
 * takes.
 */
const [most, maxToLoad] = [1.1, 1.2];

/**
 * How much slower a function's processor is once it has loaded: Lambda gives 512 MB this share of one, and a
 * full one while it loads. Its billed time grows by it.
 */
const slowness = 1769 / 512;

function compared(name: string, samples: readonly Pair[]): Figure {
  const [ratio, { service, bare }] = [ratioOf(samples), medians(samples)];
  return {
    figure: name,
    goal: `${most}`,
    found: `${ratio.toFixed(2)} (${inMilliseconds(service)} ms by ${inMilliseconds(bare)} ms)`,
    held: ratio <= most,
  };
}

async function contests({ oms }: Deployment, bare: BareBundles): Promise<readonly Contest[]> {
  const { body } = await oms.post("/orders", { data: [orderOf()] });
  const order = String(numberAt(body, "data.0.order_id"));
  return [
    {
      name: "ping",
      service: bundleOf("oms/ping"),
      bare: bare.bundleOf("ping"),
      event: eventOf({ method: "POST", route: "/apirest/v4/oms/ping" }),
    },
    {
      name: "get an order",
      service: bundleOf("oms/orders/get-order"),
      bare: bare.bundleOf("get-order"),
      event: eventOf({
        method: "GET",
        route: "/apirest/v4/oms/orders/{order}",
        parameters: { order },
      }),
    },
  ];
}

const sum = ({ loading, first }: Cold, factor: number): Pair => ({
  service: loading.service + factor * first.service,
  bare: loading.bare + factor * first.bare,
});

async function coldFigures(contest: Contest, env: Record<string, string>): Promise<readonly Figure[]> {
  const found = await cold(contest, env, starts);
  const [loading, first] = [medians(found.map((one) => one.loading)), medians(found.map((one) => one.first))];
  for (const side of ["service", "bare"] as const)
    print(
      `${contest.name}, ${side}: loads in ${inMilliseconds(loading[side])} ms, first answer ${inMilliseconds(first[side])} ms`,
    );
  return [
    compared(
      `${contest.name}, cold: in all`,
      found.map((one) => sum(one, 1)),
    ),
    compared(
      `${contest.name}, cold: until the first answer, with 512 MB`,
      found.map((one) => sum(one, slowness)),
    ),
  ];
}

async function importFigure(bare: BareBundles, env: Record<string, string>): Promise<readonly Figure[]> {
  // A function that is not on Lambda opens no connection while it loads.
  const { AWS_LAMBDA_INITIALIZATION_TYPE: _, ...local } = env;
  const ratios = await imports(allBundles(), bare.bundleOf("floor"), local, loads);
  const sorted = [...ratios].sort(([, left], [, right]) => left - right);
  for (const [name, ratio] of sorted.slice(-5)) print(`loading ${name}: ${ratio.toFixed(2)} of the floor`);
  const figures = sorted.map(([, ratio]) => ratio);
  const worst = figures.at(-1) ?? 0;
  return [
    {
      figure: `loading any of ${figures.length} functions, by the client's`,
      goal: `${maxToLoad}`,
      found: `median ${quantile(figures, 0.5).toFixed(2)}, worst ${worst.toFixed(2)}`,
      held: worst <= maxToLoad,
    },
  ];
}

const figures: Figure[] = [];
await deployed({ paused: true }, async (deployment) => {
  const bare = bundleBare();
  const { env, stop } = await surroundingsOf(deployment);
  try {
    for (const contest of await contests(deployment, bare)) {
      if (chosen.includes("cold")) figures.push(...(await coldFigures(contest, env)));
      if (chosen.includes("warm"))
        figures.push(compared(`${contest.name}, warm: a call`, await warm(contest, env, calls)));
    }
    if (chosen.includes("write"))
      for (const [name, microseconds] of await writes(deployment, env))
        print(`${name}: ${inMilliseconds(microseconds)} ms a record`);
    if (chosen.includes("import")) figures.push(...(await importFigure(bare, env)));
  } finally {
    stop();
    bare.remove();
  }
});
if (figures.length > 0) print(tableOf(figures, "figure (processor time)"));
process.exit(figures.every(({ held }) => held) ? 0 : 1);
