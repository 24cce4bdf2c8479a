/** `npm run operator -- COMMAND …` carries a command out on the tables that the shell names. */
import { connect } from "../../shared/store/database.ts";
import { operate } from "./commands.ts";

const { status, stdout, stderr } = await operate(process.argv.slice(2), process.env, () =>
  connect(process.env),
);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status;
