import type * as z from "zod/mini";
import type { Callers } from "../auth/callers.ts";
import type { Problem } from "../common/problem.ts";
import type { Context } from "../lambda/context.ts";
import type { Area, EndpointContract } from "../lambda/contract.ts";
import { type Access, writesSomething } from "../store/access.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { Handling } from "./handling.ts";

/** The parts of a request as a schema: `params` (path), `query`, `body`. Without `body`, a body sent is ignored. */
export type RequestSchema = z.ZodMiniObject;

type Method = EndpointContract["method"];

/** What an endpoint states about itself. `M` are the methods that it may have. */
export interface Contract<
  A extends Area,
  I extends RequestSchema,
  O extends z.core.$ZodType<object, object>,
  M extends Method = Method,
> {
  readonly method: M;
  readonly path: EndpointContract["path"];
  readonly alsoAt?: NonNullable<EndpointContract["alsoAt"]>;
  readonly auth: A;
  readonly summary: string;
  readonly request: I;
  /** The whole body of a success. A field that the schema does not declare is never sent. */
  readonly response: O;
  /** Whether the body names the record that the call is about, so that the call is 404 where there is none. */
  readonly bodyNamesRecord?: boolean;
  /** What another call's answer shows of the same records. These fields may be sent, too, and are read-only. */
  readonly alsoShown?: z.core.$ZodType<object, object>;
  /** What the flow uses. What authentication, idempotency and lists need is added; see `accessOf`. */
  readonly access?: Access;
  /** Whether a read-only key is refused though the flow only reads. */
  readonly forWriters?: boolean;
  readonly sends?: EndpointContract["sends"];
  /** Whether the flow itself reads the signing secret; authentication in the area `mobile` always does. */
  readonly secret?: boolean;
  /** How many requests a call counts as where its account's are limited, by its query as it was sent; 1 without it. */
  readonly weight?: (query: Readonly<Record<string, string | undefined>>) => number;
  /** Builds the body of a 400, for an operation whose 400 does not have the usual one. */
  readonly failure?: (problem: Problem) => object;
  /** What a 400 says of a record that a call which died half way did not store; `intended` was to tell of the record. */
  readonly lost?: (intended: object, message: string) => object;
  /** Done before a retry is told what an earlier call stored. Of a call that died half way, `answer` may name more than is stored. */
  readonly replayed?: (answer: z.output<O>, db: Database) => Promise<void>;
}

export interface Endpoint<A extends Area, I extends RequestSchema, O extends z.core.$ZodType<object, object>>
  extends EndpointContract {
  readonly auth: A;
  readonly handling: Handling;
  readonly request: I;
  readonly response: O;
  readonly alsoShown?: z.core.$ZodType<object, object>;
  readonly weight?: (query: Readonly<Record<string, string | undefined>>) => number;
  readonly failure?: (problem: Problem) => object;
  readonly lost?: (intended: object, message: string) => object;
  readonly replayed?: (answer: z.output<O>, db: Database) => Promise<void>;
  /** Whether a read-only key may not call the endpoint: the flow writes, or is for writers. */
  readonly writes: boolean;
  readonly flow: (request: z.output<I>, context: Callers[A] & Context) => Promise<z.input<O>>;
}

const retriableMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * Whether an `Idempotency-Key` of a call is heeded. It is not where the call signs in: the answer is credentials, which
 * are given once and kept nowhere.
 */
export const isRetriable = ({ method, auth }: Pick<EndpointContract, "method" | "auth">): boolean =>
  retriableMethods.has(method) && auth !== "sign-in";

/**
 * An endpoint as it is stated, with what follows from its contract. Routes and docs derive from it, too, and grants by `accessOf`. `secret` is
 * set also where authentication needs the signing secret.
 */
export function stateEndpoint<
  A extends Area,
  I extends RequestSchema,
  O extends z.core.$ZodType<object, object>,
>(contract: Contract<A, I, O>, handling: Handling, flow: Endpoint<A, I, O>["flow"]): Endpoint<A, I, O> {
  const { sends = [], access = {}, secret = false, forWriters = false, ...rest } = contract;
  return {
    ...rest,
    type: "endpoint",
    sends,
    secret: secret || contract.auth === "mobile",
    access,
    writes: forWriters || writesSomething(access),
    handling,
    flow,
  };
}
