import type * as z from "zod/mini";
import type { FieldError, Problem } from "../common/problem.ts";
import type { Idempotency } from "../lambda/context.ts";
import type { EndpointContract } from "../lambda/contract.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { HttpEvent } from "./gateway.ts";
import type { HttpResponse } from "./responses.ts";

type BodySchema = z.core.$ZodType<object, object>;

/** The parts of an endpoint that say what its calls hold. */
export interface Schemas extends Pick<EndpointContract, "request" | "response"> {
  /** What another call's answer shows of the same records. These fields may be sent, too, and are read-only. */
  readonly alsoShown?: BodySchema;
}

/** The body of a call as a part of the request. */
export interface SentBody {
  readonly body?: unknown;
}

/** One call of an endpoint, once it is known to be well-formed. */
export interface Call {
  readonly db: Database;
  readonly endpoint: EndpointContract & {
    readonly failure?: (problem: Problem) => object;
    readonly lost?: (intended: object, message: string) => object;
  };
  readonly event: HttpEvent;
  readonly actor: string;
  /** Makes the body that is sent of a flow's answer: the fields that the response schema declares. */
  readonly shape: (answer: object) => object;
  /** Done before a retry is told what an earlier call stored. Given the body of its success, read as JSON. */
  readonly replay?: (body: unknown) => Promise<void>;
}

/** Runs a flow, and answers the body that is sent. */
export type Run = (idempotency: Idempotency) => Promise<object>;

/**
 * What depends on a call's method. Only some methods have a body and an `Idempotency-Key`. The code for bodies and keys is a
 * tenth of a function. So this code has a module of its own, and functions of other methods are bundled without it.
 */
export interface Handling {
  readonly bodyOf: (request: Schemas["request"], event: HttpEvent) => SentBody;
  /** A warning for each field of the body that the endpoint does not take. */
  readonly warningsOf: (schemas: Schemas, sent: SentBody) => readonly FieldError[];
  readonly answer: (call: Call, run: Run) => Promise<HttpResponse>;
}
