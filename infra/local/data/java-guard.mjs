/**
 * Starts a program, and ends it when the process that asked for it is gone. However that process died, its
 * end of the pipe on standard input is then closed. A signal handler would not run in a process that is
 * killed outright.
 *
 * The file is plain JavaScript and imports nothing from the project, so it starts in a few milliseconds.
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
