import type { IncomingMessage, ServerResponse } from "node:http";
import type { FunctionDefinition } from "../assembly/functions.ts";
import { isObject, parseJson } from "../json.ts";
import type { ErrorAnswer } from "./answers.ts";
import type { Call } from "./calls.ts";
import type { Operation } from "./operations.ts";

/** The function instance that sent a request. */
export interface Caller {
  readonly definition: FunctionDefinition;
  /** The invocation that the instance is handling. */
  readonly requestId: string | undefined;
  /** Whether the instance is still loading its function. Requests during loading belong to no invocation. */
  readonly isLoading: boolean;
  kill(): void;
}

/** A request in the proxy. */
export interface ProxiedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly requestId: string | undefined;
  readonly operation: Operation;
  readonly body: Buffer;
  /** The parsed body. */
  readonly input: unknown;
  readonly start: number;
}

/** How a request ended. */
export type Ending = Pick<Call, "status"> & Partial<Pick<Call, "error" | "fault" | "charges">>;

export const describeCall = (
  { caller, requestId, operation, start }: ProxiedRequest,
  ending: Ending,
): Omit<Call, "sequence"> => ({
  function: caller.definition.name,
  requestId,
  service: operation.service,
  operation: operation.name,
  tables: operation.tables,
  queue: operation.queue,
  start,
  end: performance.now(),
  status: ending.status,
  error: ending.error,
  fault: ending.fault,
  charges: ending.charges ?? [],
});

/** Answers with an error and records nothing, because the caller or the request is unknown. */
export const refuse = (response: ServerResponse, { status, body }: ErrorAnswer): void => {
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
  response.end(body);
};

export const answerError = (response: ServerResponse, answer: ErrorAnswer): Ending => {
  refuse(response, answer);
  return { status: answer.status, error: answer.code };
};

/** The error code in an answer of the service behind the proxy. */
export const errorOf = (body: Buffer): string => {
  const parsed = parseJson(body.toString("utf8"));
  const type = isObject(parsed) ? String(parsed["__type"] ?? "") : "";
  return type.slice(type.indexOf("#") + 1);
};
