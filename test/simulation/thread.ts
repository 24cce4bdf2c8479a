/** A thread that runs the schedules which the main thread asks for. */
import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import { type Asked, asked, type Reported } from "./messages.ts";
import { plant } from "./planted/plant.ts";
import { installVirtualTime } from "./schedule/virtual.ts";

const { planted } = z.object({ planted: z.optional(z.string()) }).parse(workerData);
plant(planted);
installVirtualTime();
// Nobody reads the service's log; a schedule's story is reported.
process.env["LOG_LEVEL"] = "FATAL";
process.stdout.write = () => true;
// A stack costs more than the error, and refusals are many.
Error.stackTraceLimit = 0;

// The service is loaded once the clock is virtual and the fault is planted.
const { simulator } = await import("./simulate.ts");
const { operations } = await import("./workload/calls.ts");
const { planOf } = await import("./workload/plan.ts");
const { shrunk } = await import("./shrink.ts");
const simulate = await simulator();

async function answer(order: Asked): Promise<Reported> {
  if (order.kind === "tell") {
    const plan = planOf(order.seed);
    const { plan: short, outcome } = order.shrinks
      ? await shrunk(plan, simulate)
      : { plan, outcome: await simulate(plan, true) };
    return { kind: "told", plan: JSON.stringify(short), story: outcome.story, findings: outcome.findings };
  }
  let turns = 0;
  const successes = Object.fromEntries(Object.keys(operations).map((name) => [name, 0]));
  for (let seed = order.first; seed < order.first + order.count; seed += 1) {
    const { findings, turns: taken, succeeded } = await simulate(planOf(seed));
    turns += taken;
    for (const name of succeeded) successes[name] = (successes[name] ?? 0) + 1;
    if (findings.length > 0)
      return {
        kind: "ran",
        ran: seed - order.first + 1,
        turns,
        successes,
        broken: { seed, findings },
      };
  }
  return { kind: "ran", ran: order.count, turns, successes };
}

parentPort?.on("message", async (message: unknown) => {
  parentPort?.postMessage(await answer(asked.parse(message)));
});
