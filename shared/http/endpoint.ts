import type * as z from "zod/mini";
import type { Callers } from "../auth/callers.ts";
import type { Problem } from "../common/problem.ts";
import type { Context } from "../runtime/context.ts";
import type { Area, EndpointContract } from "../runtime/contract.ts";
import { writesSomething } from "../store/access.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { IdList } from "./request/body-forms.ts";
import type { ReadOnlyFields } from "./request/unread-fields.ts";

/** `params` (path), `query` and `body`, as a schema. Without `body`, a body sent is ignored. */
export type RequestSchema = z.ZodMiniObject;

export type BodySchema = z.core.$ZodType<object, object>;

/** How an endpoint differs from others in what happens around its flow. */
export interface Extras<O extends BodySchema> {
  /** Fields of the records that other calls show. They may be sent as well, and are read-only. */
  readonly alsoShown?: readonly string[];
  /** The list of ids in the body, if records with these ids may be sent instead. */
  readonly idsOf?: IdList;
  /** The calls that change the fields of a record which a PUT or PATCH leaves alone. */
  readonly readOnly?: ReadOnlyFields;
  /** The number of requests that a call counts as in the request limit, by its raw query; 1 by default. */
  readonly weight?: (query: Readonly<Record<string, string | undefined>>) => number;
  /** Builds the body of a 400, for an operation whose 400 differs from the usual one. */
  readonly failure?: (problem: Problem) => object;
  /** Runs before a retry is answered with the response of an earlier call. */
  readonly replayed?: (answer: z.output<O>, db: Database) => Promise<void>;
}

type Method = EndpointContract["method"];

/** The methods of calls that have a body, and may carry an `Idempotency-Key`. */
export type BodyMethod = Exclude<Method, "GET" | "DELETE">;

type Defaulted = "access" | "sends" | "secret";

/** What an endpoint states about itself; what is optional here has a default. */
export interface Contract<
  A extends Area,
  I extends RequestSchema,
  O extends BodySchema,
  M extends Method = Method,
> extends Extras<O>,
    Omit<EndpointContract, "type" | "writes" | Defaulted>,
    Partial<Pick<EndpointContract, Defaulted>> {
  readonly method: M;
  readonly auth: A;
  readonly request: I;
  readonly response: O;
  /** Whether read-only keys are rejected although the flow only reads. */
  readonly forWriters?: boolean;
}

/** What a call does and answers. */
export type Flow<A extends Area, I extends RequestSchema, O extends BodySchema> = (
  request: z.output<I>,
  context: Callers[A] & Context,
) => Promise<z.input<O>>;

export interface Endpoint<
  A extends Area,
  I extends RequestSchema,
  O extends BodySchema,
  M extends Method = Method,
> extends EndpointContract,
    Extras<O> {
  readonly method: M;
  readonly auth: A;
  readonly request: I;
  readonly response: O;
  readonly flow: Flow<A, I, O>;
}

const retriableMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** Whether calls may carry an `Idempotency-Key`. Sign-ins answer with credentials, which are never stored. */
export const isRetriable = ({ method, auth }: Pick<EndpointContract, "method" | "auth">): boolean =>
  retriableMethods.has(method) && auth !== "sign-in";

/** Whether calls may be dry runs. */
export const takesDryRun = ({
  method,
  auth,
  writes,
  isMultiStep = false,
}: Pick<EndpointContract, "method" | "auth" | "writes" | "isMultiStep">): boolean =>
  writes && method !== "GET" && auth !== "sign-in" && !isMultiStep;

/** An endpoint of its contract and its flow, without the handler of its calls. */
export function endpointOf<A extends Area, I extends RequestSchema, O extends BodySchema, M extends Method>(
  contract: Contract<A, I, O, M>,
  flow: Flow<A, I, O>,
): Endpoint<A, I, O, M> {
  const { sends = [], access = {}, secret = false, forWriters = false, ...rest } = contract;
  return {
    ...rest,
    type: "endpoint",
    sends,
    // Authentication in the area `mobile` reads the signing secret.
    secret: secret || contract.auth === "mobile",
    access,
    writes: forWriters || writesSomething(access),
    flow,
  };
}
