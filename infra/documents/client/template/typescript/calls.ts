/** The calls of one area. */
import createClient from "openapi-fetch";
import { failureOf, ServiceError } from "./failure.ts";
import { type Retries, retrying } from "./retries.ts";

export interface Options {
  /** Where the service is, such as `https://orders.example.com`, without a path. */
  readonly url: string;
  /** How often, and after which pauses, a call is sent again. */
  readonly retries?: Retries;
  /** What sends a request; the global `fetch` by default. It is called once for each attempt. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

interface Area {
  /** What all paths of the area begin with. */
  readonly prefix: string;
  readonly credentials: Readonly<Record<string, string>>;
}

type Answer<Body> =
  | { readonly data: Body; readonly response: Response }
  | { readonly data?: never; readonly error: unknown; readonly response: Response };

/** A method of openapi-fetch that returns the body of a success, and throws a `ServiceError` for all else. */
const answered =
  <Call extends readonly unknown[], Body>(send: (...call: Call) => Promise<Answer<Body>>) =>
  async (...call: Call): Promise<Body> => {
    const answer = await send(...call).catch(unreadable);
    if (answer.data === undefined) throw failureOf(answer.response, "error" in answer ? answer.error : "");
    return answer.data;
  };

function unreadable(cause: unknown): never {
  if (!(cause instanceof SyntaxError)) throw cause;
  throw new ServiceError({ message: "The answer is no JSON; does the url lead to the service?", cause });
}

type Methods = "get" | "post" | "put" | "patch" | "delete";

/** Each path has all methods; one that is not served is `never`. */
type PathsOf<Paths> = { [Path in keyof Paths]: { [Method in Methods]?: unknown } };

/** The methods for an area's paths. `Paths` are its part of the interface. */
export function calls<Paths extends PathsOf<Paths>>({ url, retries, fetch = send }: Options, area: Area) {
  const client = createClient<Paths, "application/json">({
    baseUrl: url.replace(/\/+$/, "") + area.prefix,
    headers: area.credentials,
    pathSerializer: pathOf,
    fetch: retrying(fetch, retries),
  });
  return {
    GET: answered(client.GET),
    POST: answered(client.POST),
    PUT: answered(client.PUT),
    PATCH: answered(client.PATCH),
    DELETE: answered(client.DELETE),
  };
}

/**
 * A path with its parameters. One with a `/` or `?` would find another record or none, even encoded: API
 * Gateway decodes paths before it routes them.
 * @throws {ServiceError} with status 400
 */
const pathOf = (path: string, parameters: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(parameters[name]);
    if (!/[/?]/.test(value)) return encodeURIComponent(value);
    const message = "can't hold / or ? in a path; use a filter of the list to find the record";
    throw new ServiceError({ message: `${name} ${message}`, status: 400, errors: [{ path: name, message }] });
  });

const send = (request: Request): Promise<Response> => globalThis.fetch(request);
