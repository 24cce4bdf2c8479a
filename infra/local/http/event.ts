import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { awsEnvironment } from "../aws-environment.ts";

/** An HTTP request as received. */
export interface IncomingCall {
  readonly method: string;
  /** As sent, still encoded, with the query. */
  readonly target: string;
  /** Names are in lower case; several values of one name are kept apart. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly sourceIp: string;
  readonly body: Buffer;
  readonly at: Date;
}

/**
 * Splits the request target into path and query, and decodes the path; `undefined` if its encoding is
 * invalid. HTTP APIs cut the path at an encoded `?`. The rest is dropped, and is not part of the query.
 */
export const splitTarget = (target: string): { path: string; query: string } | undefined => {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  try {
    const [kept = ""] = decodeURIComponent(path).split("?");
    return { path: kept, query: mark < 0 ? "" : target.slice(mark + 1) };
  } catch {
    return undefined;
  }
};

/** Builds the event of payload format 2.0, field by field as HTTP APIs send it. */
export const buildEvent = (
  call: IncomingCall,
  path: string,
  query: string,
  match: { readonly key: string; readonly parameters: Readonly<Record<string, string>> },
): APIGatewayProxyEventV2 => {
  const { cookie, ...others } = call.headers;
  const text = isText(call);
  const queryStringParameters = parseQuery(query);
  return {
    version: "2.0",
    routeKey: match.key,
    rawPath: path,
    rawQueryString: query,
    ...(cookie && { cookies: cookie.flatMap((line) => line.split(/;\s*/)) }),
    headers: joinValues({ ...others, ...gatewayHeaders(call) }),
    ...(queryStringParameters && { queryStringParameters }),
    requestContext: requestContext(call, path, match.key),
    ...(Object.keys(match.parameters).length > 0 && { pathParameters: { ...match.parameters } }),
    ...(call.body.length > 0 && { body: call.body.toString(text ? "utf8" : "base64") }),
    isBase64Encoded: call.body.length > 0 && !text,
  };
};

const requestContext = (
  { method, headers, sourceIp, at }: IncomingCall,
  path: string,
  routeKey: string,
): APIGatewayProxyEventV2["requestContext"] => ({
  accountId: awsEnvironment.account,
  apiId: "local",
  domainName: headers["host"]?.[0] ?? "localhost",
  domainPrefix: "local",
  http: { method, path, protocol: "HTTP/1.1", sourceIp, userAgent: headers["user-agent"]?.[0] ?? "" },
  requestId: randomUUID(),
  routeKey,
  stage: "$default",
  time: commonLogTime(at),
  timeEpoch: at.getTime(),
});

/** Values of one name are joined by commas. */
const parseQuery = (query: string): Record<string, string> | undefined => {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before},${value}`);
  }
  return parameters.size > 0 ? Object.fromEntries(parameters) : undefined;
};

const joinValues = (headers: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join(",")]));

/** The headers that API Gateway adds. A client's `X-Forwarded-For` is kept, followed by its address. */
const gatewayHeaders = ({ headers, sourceIp }: IncomingCall): Record<string, string[]> => ({
  "x-forwarded-for": [[...(headers["x-forwarded-for"] ?? []), sourceIp].join(", ")],
  "x-forwarded-port": [headers["host"]?.[0]?.split(":")[1] ?? "80"],
  "x-forwarded-proto": ["http"],
});

const textTypes = /^(text\/.*|application\/(.*\+)?(json|xml)|application\/javascript)$/;

/** Whether a body is passed on as text. Bodies of other types, forms and compressed ones become base 64. */
const isText = ({ headers }: IncomingCall): boolean => {
  const type = headers["content-type"]?.[0]?.split(";")[0]?.trim().toLowerCase() ?? "";
  return textTypes.test(type) && headers["content-encoding"] === undefined;
};

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `12/Mar/2020:19:03:58 +0000` */
const commonLogTime = (at: Date): string => {
  const day = String(at.getUTCDate()).padStart(2, "0");
  const clock = at.toISOString().slice(11, 19);
  return `${day}/${months[at.getUTCMonth()]}/${at.getUTCFullYear()}:${clock} +0000`;
};
