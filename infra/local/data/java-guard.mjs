/**
 * Starts a program and ends it when the process that asked for it is gone, however that died: its end of the pipe
 * on standard input closes then. Signal handlers could not do that for a process that is killed outright.
 *
 * Plain JavaScript and no import from the project, so that it starts in a few milliseconds.
 */
import { spawn } from "node:child_process";

const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

child.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.on("exit", (code) => process.exit(code ?? 1));

process.stdin.on("end", () => child.kill("SIGKILL"));
process.stdin.on("error", () => child.kill("SIGKILL"));
process.stdin.resume();
