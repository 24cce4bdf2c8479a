import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../ports.ts";
import { LocalProblem } from "../problem.ts";
import { startJava } from "./java.ts";

/** The DynamoDB to use: one that was started here, or one that was running already. */
export interface DatabaseServer {
  readonly endpoint: string;
  /** Selects the tables: a DynamoDB Local without `-sharedDb` keeps those of each access key apart. */
  readonly accessKeyId: string;
  stop(): Promise<void>;
}

/** The key for tables that no other runtime has in this DynamoDB. Its users see the same tables. */
const usualAccessKeyId = "local";

/**
 * An unused key. A DynamoDB Local without `-sharedDb` gives it an empty database. Keys are letters and
 * digits.
 */
export const newAccessKeyId = (): string => `local${randomBytes(8).toString("hex")}`;

/** A cold start on a slow disk takes a few seconds. If it takes longer than this, something hangs. */
const startLimitMs = 30_000;

export interface DatabaseOptions {
  /** The folder that keeps the data. Without one, the data stay in memory. */
  readonly dataDir?: string | undefined;
  /** The endpoint of a running DynamoDB; by default the value of the variable `DYNAMODB_ENDPOINT`. */
  readonly dynamodbEndpoint?: string | undefined;
  /**
   * Serves many runtimes for minutes, so that Java's second compiler and more memory pay off; false by
   * default. Each runtime has a separate database there: with a single one, they would wait for each other.
   */
  readonly longLived?: boolean | undefined;
}

const givenEndpoint = ({ dynamodbEndpoint }: DatabaseOptions): string | undefined =>
  dynamodbEndpoint ?? (process.env["DYNAMODB_ENDPOINT"] || undefined);

/** Whether the tables may share a database with those of other runtimes. */
export const isShared = (options: DatabaseOptions): boolean => givenEndpoint(options) !== undefined;

/**
 * Uses the running DynamoDB, if one is given. Otherwise starts one, which answers when the promise resolves.
 * @throws {LocalProblem} if nothing answers at the given endpoint, or Java is missing
 */
export const startDatabase = async (options: DatabaseOptions = {}): Promise<DatabaseServer> => {
  const { dataDir, longLived = false } = options;
  const given = givenEndpoint(options);
  if (given !== undefined)
    return useDatabase(given, dataDir === undefined ? newAccessKeyId() : usualAccessKeyId);
  const folder = dataDir === undefined ? undefined : resolve(dataDir, "dynamodb");
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const { child, failed } = startJava(port, folder, longLived);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    child.stdin.end();
    await closed;
  };
  try {
    await Promise.race([listening(port), failed]);
  } catch (problem) {
    await stop();
    throw problem;
  }
  return { endpoint: `http://127.0.0.1:${port}`, accessKeyId: usualAccessKeyId, stop };
};

const useDatabase = async (endpoint: string, accessKeyId: string): Promise<DatabaseServer> => {
  const answers = await fetch(endpoint).then(
    () => true,
    () => false,
  );
  if (!answers) throw new LocalProblem(`Nothing answers at the DynamoDB endpoint ${endpoint}.`);
  return { endpoint, accessKeyId, stop: async () => undefined };
};

const listening = async (port: number): Promise<void> => {
  const limit = Date.now() + startLimitMs;
  while (!(await accepts(port))) {
    if (Date.now() > limit)
      throw new LocalProblem("DynamoDB Local did not begin to listen within 30 seconds.");
    await delay(20);
  }
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((settle) => {
    const socket = connect(port, "127.0.0.1");
    const end = (accepted: boolean): void => {
      socket.destroy();
      settle(accepted);
    };
    socket.on("connect", () => end(true));
    socket.on("error", () => end(false));
  });
