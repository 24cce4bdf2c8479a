/** The one error that calls throw. */

/** An invalid place in a request, such as `data.0.items.1.sku`. The message continues the path. */
export interface WrongPlace {
  readonly path: string;
  readonly message: string;
  /** `already_exists`, or another code by which a program can decide; most errors have none. */
  readonly code?: string;
  /** The order that already exists. Only there if its number was taken before the call. */
  readonly order_id?: number;
}

interface Details {
  readonly message: string;
  readonly status?: number;
  readonly errors?: readonly WrongPlace[];
  readonly errorsTotal?: number;
  readonly requestId?: string | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** A call that failed: the service refused it, failed itself, or could not be reached. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** The HTTP status; 0 if no response came. */
  readonly status: number;
  /** The first 100 invalid places in the request; empty if the service names none. */
  readonly errors: readonly WrongPlace[];
  /** The number of all invalid places. */
  readonly errorsTotal: number;
  /** The id of the request in the service's log. Quote it when you report a failure. */
  readonly requestId: string | undefined;
  /** Not a property, so that a printed error does not list its places twice. */
  readonly #body: unknown;

  constructor({
    message,
    status = 0,
    errors = [],
    errorsTotal = errors.length,
    requestId,
    body,
    cause,
  }: Details) {
    super(message, { cause });
    this.status = status;
    this.errors = errors;
    this.errorsTotal = errorsTotal;
    this.requestId = requestId;
    this.#body = body;
  }

  /**
   * The response's body, if there was one. For a bulk call that stored only some of its records, `data`
   * states the outcome of each. A refused recount lists the invalid entries in `result`.
   */
  get body(): unknown {
    return this.#body;
  }
}

/** The error for a response. `body` is its JSON, or its text if it is not JSON. */
export function failureOf({ status, headers }: Response, body: unknown): ServiceError {
  const response = field(body, "response");
  const errors = field(response, "errors");
  const total = field(response, "errors_total");
  return new ServiceError({
    message:
      textOf(field(response, "message")) ??
      textOf(field(body, "message")) ??
      `The service answered with status ${status} and no message`,
    status,
    errors: Array.isArray(errors) ? errors.filter(isPlace) : [],
    ...(typeof total === "number" ? { errorsTotal: total } : {}),
    // API Gateway, in front of the service, has its own ids.
    requestId: headers.get("x-request-id") ?? headers.get("apigw-requestid") ?? undefined,
    body,
  });
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const isPlace = (value: unknown): value is WrongPlace =>
  textOf(field(value, "path")) !== undefined && textOf(field(value, "message")) !== undefined;
