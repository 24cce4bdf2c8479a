/**
 * `npm run operator -- NOUN VERB …` carries a command out. `npm run operator -- --help` lists all of them.
 */
import { operate } from "./operate.ts";

const { stdin, stdout, stderr } = process;
// Who reads the answer may have seen enough, such as `head`.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
const isInteractive = stdin.isTTY && stderr.isTTY;
process.exitCode = await operate(process.argv.slice(2), {
  variables: process.env,
  stdin,
  stdout,
  stderr,
  isInteractive,
});
