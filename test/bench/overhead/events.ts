/** Events as API Gateway sends them, in payload format 2.0. */
import { randomUUID } from "node:crypto";

interface Call {
  readonly method: string;
  /** The route's path: `/apirest/v4/oms/orders/{order}`. */
  readonly route: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The credentials of the demo's account 100. */
export const account = { accountid: "100", key: "demo-oms-key-100" };

export function eventOf({ method, route, parameters, headers = account, body }: Call): object {
  const path = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters?.[name] ?? "");
  return {
    version: "2.0",
    routeKey: `${method} ${route}`,
    rawPath: path,
    rawQueryString: "",
    headers: {
      accept: "application/json",
      "accept-encoding": "gzip, deflate",
      "content-type": "application/json",
      host: "abcdefghij.execute-api.us-east-1.amazonaws.com",
      "user-agent": "bench/1.0",
      "x-amzn-trace-id": "Root=1-00000000-000000000000000000000000",
      "x-forwarded-for": "192.0.2.1",
      "x-forwarded-port": "443",
      "x-forwarded-proto": "https",
      ...headers,
    },
    requestContext: {
      accountId: "000000000000",
      apiId: "abcdefghij",
      domainName: "abcdefghij.execute-api.us-east-1.amazonaws.com",
      domainPrefix: "abcdefghij",
      http: { method, path, protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "bench/1.0" },
      requestId: randomUUID(),
      routeKey: `${method} ${route}`,
      stage: "$default",
      time: "01/Jan/2026:00:00:00 +0000",
      timeEpoch: 1_767_225_600_000,
    },
    ...(parameters && { pathParameters: parameters }),
    ...(body && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}
