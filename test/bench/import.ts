/**
 * `npm run bench:import [-- --bins 1000 --products 100000 --orders 10000]`: how long a merchant takes to move
 * in: by counting bins through the API, and by the operator's commands, on the local database without
 * streams. Five units of each product lie in a bin. Times depend on the machine; calls and units do not, and
 * seconds of a processor less. With `--products 0`, only the API is measured, and with `--bins 0` only the
 * commands.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { demoBins } from "../../infra/demo/registry.ts";
import { noteRunning } from "../../infra/operator/cli/local-service.ts";
import { runOperator } from "../support/store/operator.ts";
import { costsOfCounting, countIn, countInStages, type Spent, spentBy } from "./import/counting.ts";
import { deployed } from "./scale/deployment.ts";

const { values } = parseArgs({
  options: {
    bins: { type: "string", default: "1000" },
    products: { type: "string", default: "100000" },
    orders: { type: "string", default: "10000" },
  },
});
const [products, orders] = [Number(values.products), Number(values.orders)];
const sku = (number: number): string => `MOVE-${number % products}`;
const rows = (count: number, header: string, row: (number: number) => string): string =>
  `${[header, ...Array.from({ length: count }, (_, number) => row(number))].join("\n")}\n`;

/** The files of a merchant, by the command that brings them in. */
const files = {
  products: rows(
    products,
    "sku,description,width,length,height,weight,cost,retail,supplier,package_type,case_qty",
    (number) => `${sku(number)},"Thing ${number}, size M",10,12,4,0.5,2.5,9.95,Acme Supply,BOX-S,12`,
  ),
  stock: rows(products, "sku,location,bin,quantity", (number) => {
    const place = demoBins[number % demoBins.length];
    return `${sku(number)},${place?.location},${place?.bin},5`;
  }),
  orders: rows(
    2 * orders,
    "order_number,shipping_method,customer.firstname,customer.address1,customer.city,customer.state,customer.zip,customer.country,sku,quantity",
    (line) =>
      `MOVE-${Math.floor(line / 2)},GROUND,Grace,2 Sample Street,Springfield,IL,62701,US,${sku(line * 7)},1`,
  ),
};

const bins = Number(values.bins);
const print = (what: string, { seconds, service, database }: Spent): void => {
  const of = (used: number): string => ((used / bins) * 1000).toFixed(2);
  process.stdout.write(
    `${bins} bins ${what}: ${(bins / seconds).toFixed(0)} a second; 1,000 take ${of(service)} s of a processor for the service, ${of(database)} s for the database\n`,
  );
};
async function measureCounting(): Promise<void> {
  await deployed({ streams: false }, async (deployment) => {
    // The first calls start functions, fill their caches, and have the database compiled.
    for (let run = 0; run < 2; run += 1) await countInStages(deployment, bins);
    const { accepting, applying } = await countInStages(deployment, bins);
    print("accepted", accepting);
    print("applied", applying);
    print("accepted and applied", await countIn(deployment, bins));
  });
  await deployed({ streams: true }, async (deployment) => {
    await countIn(deployment, 100);
    print("accepted, applied and published", await countIn(deployment, bins));
    const costs = await costsOfCounting(deployment, Math.min(bins, 500));
    for (const [what, { calls, writeUnits, readUnits }] of Object.entries(costs))
      process.stdout.write(
        `a bin takes, for ${what}: ${calls.toFixed(2)} calls, ${writeUnits.toFixed(1)} write units, ${readUnits.toFixed(1)} read units\n`,
      );
  });
}

if (bins > 0) await measureCounting();
if (products === 0) process.exit(0);

const folder = mkdtempSync(join(tmpdir(), "import-"));
await deployed({ paused: true }, async ({ runtime }) => {
  const forget = noteRunning(runtime);
  const { port } = new URL(runtime.url);
  const run = (...words: readonly string[]) => runOperator(["--local", "--port", port, ...words]);
  const timed = async (what: string, ...words: readonly string[]): Promise<void> => {
    let said = "";
    const { seconds, service, database } = await spentBy(async () => {
      const { status, stdout, stderr } = await run(...words);
      said = `status ${status}. ${stdout}${stderr}`;
    });
    process.stdout.write(
      `${what}: ${seconds.toFixed(1)} s; of a processor ${service.toFixed(1)} s for the command, ` +
        `${database.toFixed(1)} s for the database; ${said}`,
    );
  };
  for (const [command, text] of Object.entries(files)) {
    const file = join(folder, `${command}.csv`);
    writeFileSync(file, text);
    await timed(command, command, "import", "100", file, "--yes");
    await timed(`${command} again`, command, "import", "100", file, "--yes");
  }
  await timed("verification", "data", "verify", "100");
  forget();
});
rmSync(folder, { recursive: true });
process.exit(0);
