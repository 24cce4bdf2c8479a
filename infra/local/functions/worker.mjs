/**
 * The inside of a function's worker thread. It loads the bundle once, then answers one event after another,
 * as Lambda's own runtime does.
 *
 * Every instance pays for what this file loads. So the file is plain JavaScript and imports nothing of the
 * project: stripping types and a schema library would each cost more than a function's own bundle. Messages
 * of the parent have checked types. The parent parses the messages that it receives.
 *
 * @import { Failure, Invocation, Outcome, Start } from "./messages.ts"
 */
import { enableCompileCache, flushCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

/** @type {Start} */
const start = workerData;
const port = parentPort;
if (port === null) throw new Error("This module runs in a worker thread only.");

/** @param {Outcome} outcome */
const answer = (outcome) => port.postMessage(outcome);

/** @type {(error: unknown) => Failure} */
const describeFailure = (error) =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, ...(error.stack && { stack: error.stack }) }
    : { errorType: typeof error, errorMessage: String(error) };

/**
 * The second argument of a Lambda handler.
 *
 * @param {Invocation} invocation
 */
const createContext = ({ requestId, deadline }) => ({
  awsRequestId: requestId,
  callbackWaitsForEmptyEventLoop: true,
  functionName: start.functionName,
  functionVersion: "$LATEST",
  invokedFunctionArn: start.functionArn,
  memoryLimitInMB: String(start.memoryMegabytes),
  logGroupName: start.logGroupName,
  logStreamName: "local",
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
});

/**
 * Loads `node:http` without the WebSocket client.
 *
 * The first import of `node:http` reads all of its exports, and so loads those that load only when read. That
 * costs each instance 4 MB and a quarter of its start. Afterwards `http.WebSocket` works as always; only the
 * named import is undefined.
 */
const loadHttp = async () => {
  const http = process.getBuiltinModule("node:http");
  const late = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, { get }]) => get);
  for (const [name] of late) Reflect.deleteProperty(http, name);
  await import("node:http");
  Object.defineProperties(http, Object.fromEntries(late));
};

/** @returns {Promise<(event: unknown, context: unknown) => unknown>} */
const load = async () => {
  const module = await import(pathToFileURL(start.file).href);
  const handler = module[start.exportName];
  if (typeof handler !== "function")
    throw new Error(`${start.file} exports no function "${start.exportName}".`);
  return handler;
};

const serve = async () => {
  if (start.compileCache !== undefined) enableCompileCache(start.compileCache);
  await loadHttp();
  const handler = await load();
  let isFirst = true;
  port.on("message", async (/** @type {Invocation} */ invocation) => {
    try {
      const result = await handler(JSON.parse(invocation.event), createContext(invocation));
      answer({ type: "success", payload: JSON.stringify(result) ?? "null" });
    } catch (error) {
      answer({ type: "failure", failure: describeFailure(error) });
    }
    // Kept now, what was compiled includes what only an event makes Node compile. Without a cache this does
    // nothing.
    if (isFirst) flushCompileCache();
    isFirst = false;
  });
  answer({ type: "ready" });
};

serve().catch((error) => answer({ type: "failure", failure: describeFailure(error) }));
