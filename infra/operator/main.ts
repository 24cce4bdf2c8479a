/**
 * `npm run operator -- COMMAND SUBCOMMAND …` carries a command out; `npm run operator -- --help` lists them
 * all.
 */
import { writeLinesTo } from "../../shared/runtime/log.ts";
import { operate } from "./operate.ts";

const { stdin, stdout, stderr } = process;
writeLinesTo(stderr);
// Who reads the answer may have seen enough, such as `head`.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
const interruption = new AbortController();
// A second signal ends the process at once.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());
const status = await operate(process.argv.slice(2), {
  variables: process.env,
  stdin,
  stdout,
  stderr,
  isInteractive: stdin.isTTY && stderr.isTTY,
  interruption: interruption.signal,
});
// Work that does not end in time is left.
if (interruption.signal.aborted) process.exit(status);
process.exitCode = status;
