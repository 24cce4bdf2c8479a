/** The one error that calls throw. */

/** A wrong place in a request, such as `data.0.items.1.sku`. The message continues the path. */
export interface WrongPlace {
  readonly path: string;
  readonly message: string;
}

interface Details {
  readonly message: string;
  readonly status?: number;
  readonly errors?: readonly WrongPlace[];
  readonly requestId?: string | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** A call that failed: the service refused it, failed itself, or could not be reached. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Every wrong place in the request; empty where the service names none. */
  readonly errors: readonly WrongPlace[];
  /** What the service's log calls the request. State it when you report a failure. */
  readonly requestId: string | undefined;
  /**
   * The answer's body, if it was one. A bulk call that could store some of its records only tells in its `data` what became
   * of each. A refused recount lists the wrong entries as `result`.
   */
  readonly body: unknown;

  constructor({ message, status = 0, errors = [], requestId, body, cause }: Details) {
    super(message, { cause });
    this.status = status;
    this.errors = errors;
    this.requestId = requestId;
    this.body = body;
  }
}

/** The error that an answer comes to. `body` is its JSON, or its text where it is none. */
export function failureOf({ status, headers }: Response, body: unknown): ServiceError {
  const response = field(body, "response");
  const errors = field(response, "errors");
  return new ServiceError({
    message:
      textOf(field(response, "message")) ??
      textOf(field(body, "message")) ??
      `The service answered with status ${status} and no message`,
    status,
    errors: Array.isArray(errors) ? errors.flatMap(placeOf) : [],
    // API Gateway, which stands before the service, has ids of its own.
    requestId: headers.get("x-request-id") ?? headers.get("apigw-requestid") ?? undefined,
    body,
  });
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const placeOf = (value: unknown): readonly WrongPlace[] => {
  const path = textOf(field(value, "path"));
  const message = textOf(field(value, "message"));
  return path === undefined || message === undefined ? [] : [{ path, message }];
};
