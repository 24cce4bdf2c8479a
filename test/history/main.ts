/**
 * `npm run check:history`: clients call `npm start` at the same time while its processes are killed, and what
 * they were answered is judged. With `--planted`, the service has a fault. See docs/correctness.md.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as z from "zod";
import { projectRoot } from "../../infra/paths.ts";
import { synthesize } from "../../infra/synthesize.ts";
import { client } from "../support/http/client.ts";
import { signedIn } from "../support/http/mobile.ts";
import { randomFrom, whole } from "../support/http/random.ts";
import { Calls } from "./calls.ts";
import { faultsAtEnd } from "./checks.ts";
import { Clients, eventPage } from "./clients.ts";
import { History } from "./history.ts";
import { runPlanted } from "./planted.ts";
import { ServiceProcess } from "./service-process.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    clients: { type: "string", default: "16" },
    seed: { type: "string", default: "1" },
    planted: { type: "string" },
  },
});
const positive = z.coerce.number().positive();
const minutes = positive.parse(values.minutes);
const count = positive.parse(values.clients);
const seed = positive.parse(values.seed);

/** Time within which the jobs that are left end, in milliseconds: see `shared/jobs/job-repository.ts`. */
const settleMs = 300_000;

/**
 * Answers between two kills: few enough that functions are killed while they are still cold, and that some
 * kill meets a call between its records and its answer.
 */
const [minAnswers, maxAnswers] = [10, 80];

function operator(service: ServiceProcess, ...words: readonly string[]): SpawnSyncReturns<string> {
  const local = ["--local", "--port", String(service.port), "--json"];
  return spawnSync(process.execPath, [join(projectRoot, "infra/operator/main.ts"), ...words, ...local], {
    encoding: "utf8",
  });
}

/** Kills the service again and again until `isOver`, and starts it each time. Returns how often. */
async function keepKilling(service: ServiceProcess, calls: Calls, isOver: () => boolean): Promise<number> {
  let kills = 0;
  while (!isOver()) {
    const answers = calls.counts.answered + whole(calls.random, minAnswers, maxAnswers);
    while (calls.counts.answered < answers && !isOver()) await sleep(20);
    await service.kill(calls.random() < 0.3 ? "database" : "process");
    calls.processEnded();
    kills += 1;
    await restarted(service);
  }
  return kills;
}

/** On a busy machine, DynamoDB Local may not listen in time. @throws Error if it never does */
async function restarted(service: ServiceProcess): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await service.start();
    } catch (error) {
      if (attempt === maxStarts) throw error;
      await service.kill();
    }
  }
}

const maxStarts = 4;

/** Waits until no job is queued and the feed stands still. @throws Error if that takes too long */
async function settled(service: ServiceProcess, calls: Calls): Promise<void> {
  const until = Date.now() + settleMs;
  let latest = -1;
  for (;;) {
    const jobs = z.array(z.unknown()).parse(JSON.parse(operator(service, "jobs", "list").stdout));
    const { answer } = await calls.read({ area: "oms", method: "GET", path: "/events?limit=1" });
    const { feed } = eventPage.parse(answer.body);
    if (jobs.length === 0 && feed.latest === latest) return;
    latest = feed.latest;
    if (Date.now() > until) throw new Error(`${jobs.length} jobs are still queued`);
    await sleep(5_000);
  }
}

async function run(service: ServiceProcess): Promise<readonly string[]> {
  const calls = new Calls(service, randomFrom(seed));
  const history = new History();
  const clients = new Clients(calls, history);
  calls.session = await signedIn({ with: (headers) => client(service.url, headers) }, "manager");
  await clients.prepare();
  const until = Date.now() + minutes * 60_000;
  const isOver = () => Date.now() > until;
  const working = Promise.all(Array.from({ length: count }, () => clients.work(isOver)));
  const [kills] = await Promise.all([keepKilling(service, calls, isOver), working]);
  const faults: string[] = [];
  const note = (error: unknown) => void faults.push(String(error));
  await settled(service, calls).catch(note);
  await faultsAtEnd(clients).then((found) => void faults.push(...found), note);
  faults.push(...calls.findings.values());
  const verified = operator(service, "data", "verify");
  if (verified.status !== 0) faults.push(`operator data verify: ${verified.stdout}${verified.stderr}`);
  const { attempts, answered, refused, throttled, interrupted, replayed } = calls.counts;
  process.stdout.write(
    `${attempts} calls of ${count} clients, ${answered} answered, ${kills} kills, ${interrupted} unknown outcomes, ${refused} not sent, ` +
      `${throttled} throttled, ${replayed} sent twice, ${history.orders.records.length} orders, ` +
      `${history.jobs.size} jobs, ${history.tail.size} events, ${faults.length} findings\n`,
  );
  return faults;
}

// The service ends with this process: see `ServiceProcess`.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));

if (values.planted !== undefined) {
  const parameters = ["--minutes", values.minutes, "--clients", values.clients, "--seed", values.seed];
  process.exit(runPlanted(values.planted, parameters));
}

const assembly = await synthesize();
const dataDir = mkdtempSync(join(tmpdir(), "history-"));
const service = await ServiceProcess.start(assembly, dataDir);
try {
  const faults = await run(service);
  for (const fault of faults) process.stdout.write(`- ${fault}\n`);
  if (faults.length === 0) rmSync(dataDir, { recursive: true });
  else process.stdout.write(`The data are in ${dataDir}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await service.kill();
}
