/**
 * `npm run bench:soak [-- CORRECTIONS,WEIGHTS,REVERTS [SEED]]` (10000,1000,500 without): jobs of every kind
 * over 200 bins, some of their messages sent twice or lost, some of their transactions failing. Prints what
 * the queues took to drain; exits with 1 where the totals are not exact.
 */
import { connectTo, loadDemoData } from "../../infra/demo/load.ts";
import { startRuntime } from "../../infra/local/index.ts";
import { synthesize } from "../../infra/synthesize.ts";
import { client } from "../support/http/client.ts";
import { soakedKinds } from "./soak/check.ts";
import { soak } from "./soak/run.ts";

const [counts = "10000,1000,500", seed = "1"] = process.argv.slice(2);
const [corrections = 0, weights = 0, reverts = 0] = counts.split(",").map(Number);
if (![corrections, weights, reverts, Number(seed)].every((one) => Number.isInteger(one) && one > 0))
  throw new Error("The counts are a list such as 10000,1000,500, and the seed is a number");

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const runtime = await startRuntime({
  assembly: await synthesize(),
  redeliversAtOnce: true,
  streams: false,
});
await loadDemoData(runtime);
const area = (name: string, headers: Readonly<Record<string, string>>) =>
  client(`${runtime.url}/apirest/v4/${name}`, headers);
const service = {
  db: connectTo(runtime),
  oms: area("oms", { AccountID: "100", Key: "demo-oms-key-100" }),
  wms: area("wms", { userName: "manager", Key: "demo-master-key" }),
};
const report = await soak(runtime, service, { corrections, weights, reverts, bins: 200 }, Number(seed));
await runtime.stop();

print(`seed ${seed}; faults: ${JSON.stringify(report.struck)}; sent again by the sweeper: ${report.resent}`);
print("kind         jobs  applied  failed");
for (const kind of soakedKinds) {
  const jobs = report.jobs[kind];
  const applied = jobs.filter(({ status }) => status === "applied").length;
  const failed = jobs.filter(({ status }) => status === "failed").length;
  print(
    `${kind.padEnd(9)}${String(jobs.length).padStart(8)}${String(applied).padStart(9)}${String(failed).padStart(8)}`,
  );
}
const messages = corrections + weights + reverts;
print(
  `${messages} jobs in ${report.seconds.toFixed(1)} s: ${(messages / report.seconds).toFixed(0)} messages a second`,
);
for (const difference of report.differences.slice(0, 20)) print(difference);
print(
  report.differences.length === 0 ? "The totals are exact." : `${report.differences.length} differences.`,
);
process.exit(report.differences.length === 0 ? 0 : 1);
