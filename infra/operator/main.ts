/** `npm run operator -- COMMAND …` carries a command out on the tables that the shell names. */
import { connect } from "../../shared/store/database.ts";
import { operate } from "./commands.ts";

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const ending = await operate(process.argv.slice(2), process.env, () => connect(process.env), print);
if ("failure" in ending) process.stderr.write(`${ending.failure}\n`);
process.exitCode = ending.status;
