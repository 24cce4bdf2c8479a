/** Reports the peak memory and the time of a process to its parent when the process ends. */
import { readFileSync } from "node:fs";

let heap = 0;
const sample = () => {
  heap = Math.max(heap, process.memoryUsage().heapUsed);
};
setInterval(sample, 20).unref();
process.channel?.unref();

/** The peak in megabytes. That of `resourceUsage` includes what the parent had. */
const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;

process.on("exit", () => {
  sample();
  const { user, system } = process.cpuUsage();
  process.send?.({
    seconds: Math.round(performance.now() / 1000),
    processorSeconds: Math.round((user + system) / 1e5) / 10,
    peakMb: Math.round(peak()),
    heapMb: Math.round(heap / 2 ** 20),
  });
});
