import { parseArgs } from "node:util";
import { Problem } from "../local/index.ts";

/** The options of `npm start`. */
export interface StartOptions {
  readonly port: number;
  readonly dataDir: string | undefined;
  /** Runs this cloud assembly instead of synthesizing one. */
  readonly assembly: string | undefined;
  /** Starts a receiver of webhooks that prints what comes. */
  readonly webhookSink: boolean;
  readonly verbose: boolean;
  readonly help: boolean;
}

export const helpText = `Runs the whole service on this machine: API, functions, tables and queues.

Usage: npm start -- [options]

  --port NUMBER     where the API listens (default: the variable PORT, else 3000)
  --data-dir DIR    keep the data there (default: in memory, gone at the end)
  --assembly DIR    run what \`npm run synth\` wrote there (default: synthesize first)
  --webhook-sink    start a receiver of webhooks, too: it prints and verifies each event
  --verbose         print everything the functions log (default: warnings and errors)
  --help            print this

DYNAMODB_ENDPOINT=http://… uses a DynamoDB Local that already runs, instead of starting one with Java.
`;

const defaultPort = "3000";
const largestPort = 65_535;

/** Reads the options. @throws {Problem} for an option that does not exist or makes no sense */
export const readOptions = (args: readonly string[], environment: NodeJS.ProcessEnv): StartOptions => {
  const values = parse(args);
  const port = values.port ?? (environment["PORT"] || defaultPort);
  if (!/^\d+$/.test(port) || Number(port) > largestPort) {
    throw new Problem(`"${port}" is not a port: it must be a number from 0 to ${largestPort}.`);
  }
  return {
    port: Number(port),
    dataDir: values["data-dir"],
    assembly: values.assembly,
    webhookSink: values["webhook-sink"] ?? false,
    verbose: values.verbose ?? false,
    help: values.help ?? false,
  };
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: "string" },
        "data-dir": { type: "string" },
        assembly: { type: "string" },
        "webhook-sink": { type: "boolean" },
        verbose: { type: "boolean" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    const [reason = ""] = String(error instanceof Error ? error.message : error).split(". ");
    throw new Problem(`${reason}. See \`npm start -- --help\`.`);
  }
};
