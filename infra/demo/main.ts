import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import inspector from "node:inspector";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loopbackVariable } from "../../shared/runtime/shared-names.ts";
import { expectFree, LocalProblem, type Runtime, startDatabase, startRuntime } from "../local/index.ts";
import { noteRunning } from "../operator/cli/local-service.ts";
import { compileCache, projectRoot } from "../paths.ts";
import { synthesize } from "../synthesize.ts";
import { banner } from "./banner.ts";
import type { NewestCode } from "./newest-code.ts";
import { helpText, readOptions, type StartOptions } from "./options.ts";
import { type Sink, startSink } from "./sink.ts";

/**
 * Starts the runtime with the demo data. Synthesizing, starting DynamoDB Local and loading the modules that
 * load the data take long, so they run in parallel.
 */
const start = async (
  { port, dataDir, printing, inspectPort, assembly: given }: StartOptions,
  code: NewestCode | undefined,
): Promise<Runtime> => {
  const database = startDatabase({ dataDir });
  const loading = prepareData(dataDir);
  loading.catch(() => undefined);
  // If Java is missing, this fails at once and not only after synthesis.
  const assembly = await Promise.race([given ?? synthesize(), database.then(synthesizedNever)]);
  return startRuntime({
    assembly,
    port,
    database,
    environment: { [loopbackVariable]: "allowed" },
    printing,
    isDebugged: inspectPort !== undefined,
    ...(code !== undefined && { codeOf: (name) => code.folderOf(name) }),
    prepare: async (dynamodb) => (await loading)({ dynamodb }),
    ...(dataDir !== undefined && { dataDir }),
  });
};

/** Runs the functions from their current sources, if an option requests it. */
const openCode = async ({ watch, inspectPort }: StartOptions): Promise<NewestCode | undefined> => {
  if (!watch && inspectPort === undefined) return undefined;
  const { NewestCode } = await import("./newest-code.ts");
  const outdir = mkdtempSync(join(tmpdir(), "functions-"));
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  const code = new NewestCode({ root: projectRoot, outdir }, (line) => process.stderr.write(`${line}\n`));
  if (watch) code.watch();
  return code;
};

const synthesizedNever = (): Promise<never> => new Promise(() => undefined);

/**
 * Loads the modules that load the demo data.
 * @returns a function that loads the data, once for each data directory
 */
const prepareData = async (
  dataDir: string | undefined,
): Promise<(runtime: Pick<Runtime, "dynamodb">) => Promise<void>> => {
  // Marks a data directory that has all demo data.
  const marker = dataDir && join(dataDir, "demo-data-loaded");
  if (marker && existsSync(marker)) return async () => undefined;
  enableCompileCache(compileCache);
  const { loadDemoData } = await import("./load.ts");
  return async (runtime) => {
    await loadDemoData(runtime);
    if (marker) writeFileSync(marker, "");
  };
};

/**
 * The first signal stops everything in order; a second one stops it immediately. DynamoDB always ends with
 * this process.
 */
const stopOnSignals = (stop: () => Promise<void>): void => {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) process.exit(130);
    stopping = true;
    stop().then(() => process.exit(0), fail);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
};

const fail = (error: unknown): never => {
  const text =
    error instanceof LocalProblem ? error.message : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
};

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(helpText);
    return;
  }
  let runtime: Runtime | undefined;
  let sink: Sink | undefined;
  let forgetRunning = (): void => undefined;
  if (options.inspectPort !== undefined) inspector.open(options.inspectPort, "127.0.0.1");
  stopOnSignals(async () => {
    forgetRunning();
    await runtime?.stop();
    await sink?.stop();
  });
  await expectFree(options.port);
  runtime = await start(options, await openCode(options));
  // With JSON lines, nothing else is printed on standard output.
  const output = options.printing === "json" ? process.stderr : process.stdout;
  if (options.webhookSink) sink = await startSink(runtime.url, (line) => output.write(`${line}\n`));
  forgetRunning = noteRunning(runtime);
  output.write(banner(runtime.url, options.dataDir, sink));
};

process.on("uncaughtException", fail);
main().catch(fail);
