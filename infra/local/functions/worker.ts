import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { isObject, parseJson } from "../json.ts";
import { createContext } from "./context.ts";
import { type Failure, invocationSchema, type Outcome, startSchema } from "./messages.ts";

/**
 * The inside of a function's worker thread: loads the bundle once, then answers one event after another, like
 * Lambda's own runtime does.
 */
const start = startSchema.parse(workerData);
const port = parentPort;
if (port === null) throw new Error("This module runs in a worker thread only.");

const answer = (outcome: Outcome): void => port.postMessage(outcome);

const describeFailure = (error: unknown): Failure =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, ...(error.stack && { stack: error.stack }) }
    : { errorType: typeof error, errorMessage: String(error) };

const load = async (): Promise<(event: unknown, context: unknown) => unknown> => {
  const module: unknown = await import(pathToFileURL(start.file).href);
  const handler = isObject(module) ? module[start.exportName] : undefined;
  if (typeof handler !== "function")
    throw new Error(`${start.file} exports no function "${start.exportName}".`);
  return (event, context) => Reflect.apply(handler, undefined, [event, context]);
};

const serve = async (): Promise<void> => {
  const handler = await load();
  port.on("message", async (message: unknown) => {
    const invocation = invocationSchema.parse(message);
    try {
      const result = await handler(parseJson(invocation.event), createContext(start, invocation));
      answer({ type: "success", payload: JSON.stringify(result) ?? "null" });
    } catch (error) {
      answer({ type: "failure", failure: describeFailure(error) });
    }
  });
  answer({ type: "ready" });
};

serve().catch((error: unknown) => answer({ type: "failure", failure: describeFailure(error) }));
