import { parseArgs } from "node:util";
import { LocalProblem } from "../local/index.ts";

export interface StartOptions {
  readonly port: number;
  readonly dataDir: string | undefined;
  /** Runs this cloud assembly instead of synthesizing one. */
  readonly assembly: string | undefined;
  readonly webhookSink: boolean;
  readonly printing: "warnings" | "everything" | "json";
  /** Runs functions from their sources, and rebuilds those that import a changed file. */
  readonly watch: boolean;
  /** The port for a debugger. Functions then have source maps and no timeouts. */
  readonly inspectPort: number | undefined;
  readonly help: boolean;
}

export const helpText = `Runs the whole service on this machine: API, functions, tables and queues.

Usage: npm start -- [options]

  --port NUMBER     where the API listens (default: the variable PORT, else 3000)
  --data-dir DIR    keep the data there (default: in memory, gone at the end)
  --assembly DIR    run what \`npm run synth\` wrote there (default: synthesize first)
  --webhook-sink    start a receiver of webhooks, too: it prints and verifies each event
  --verbose         print everything the functions log (default: warnings and errors)
  --verbose=json    print it as JSON lines, the only output; everything else is on standard error
  --watch           run changed functions at once, without a new start
  --inspect[=PORT]  let a debugger stop in functions (default port: 9229)
  --help            print this

DYNAMODB_ENDPOINT=http://… uses a DynamoDB Local that already runs, instead of starting one with Java.
`;

const defaultPort = "3000";
const maxPort = 65_535;

/**
 * Reads the options.
 * @throws {LocalProblem} for an unknown or invalid option
 */
export const readOptions = (args: readonly string[], environment: NodeJS.ProcessEnv): StartOptions => {
  const values = parse(args);
  const { verbose, inspect } = values;
  if (verbose !== undefined && verbose !== "text" && verbose !== "json")
    throw new LocalProblem(`"${verbose}" is not a way to print logs: it must be text or json.`);
  return {
    port: portIn(values.port ?? (environment["PORT"] || defaultPort)),
    dataDir: values["data-dir"],
    assembly: values.assembly,
    webhookSink: values["webhook-sink"] ?? false,
    printing: verbose === undefined ? "warnings" : verbose === "json" ? "json" : "everything",
    watch: values.watch ?? false,
    inspectPort: inspect === undefined ? undefined : portIn(inspect),
    help: values.help ?? false,
  };
};

const portIn = (text: string): number => {
  if (/^\d+$/.test(text) && Number(text) <= maxPort) return Number(text);
  throw new LocalProblem(`"${text}" is not a port: it must be a number from 0 to ${maxPort}.`);
};

/** Options whose value may be left out. */
const whole: Readonly<Record<string, string>> = {
  "--verbose": "--verbose=text",
  "--inspect": "--inspect=9229",
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: args.map((arg) => whole[arg] ?? arg),
      options: {
        port: { type: "string" },
        "data-dir": { type: "string" },
        assembly: { type: "string" },
        "webhook-sink": { type: "boolean" },
        verbose: { type: "string" },
        watch: { type: "boolean" },
        inspect: { type: "string" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    const [reason = ""] = String(error instanceof Error ? error.message : error).split(". ");
    throw new LocalProblem(`${reason}. See \`npm start -- --help\`.`);
  }
};
