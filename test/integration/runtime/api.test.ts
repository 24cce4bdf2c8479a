import { describe, expect, test } from "vitest";
import { running } from "./fixture/fixture.ts";
import { echoHandler, statefulHandler } from "./fixture/handlers.ts";

const { runtime } = await running(
  {
    fallback: {
      code: `export const handler = async () => ({ statusCode: 404, body: "nothing here" });`,
      route: "$default",
    },
    echo: { code: echoHandler, route: "POST /things/{id}" },
    large: {
      code: `export const handler = async ({ body }) => ({ statusCode: 200, body: "é".repeat(Number(body)) });`,
      route: "POST /large",
    },
    stateful: { code: statefulHandler, route: "POST /state", timeoutSeconds: 1 },
    broken: { code: "throw new Error('cannot be loaded');", route: "GET /broken" },
    cookies: {
      code: `export const handler = async () => ({ statusCode: 201, headers: { "X-One": 1 }, cookies: ["a=1", "b=2"],
        body: Buffer.from([0, 255]).toString("base64"), isBase64Encoded: true });`,
      route: "GET /cookies",
    },
  },
  { instancesPerFunction: 1, liveInstances: 2 },
);

const post = async (path: string, body?: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${runtime.url}${path}`, { method: "POST", headers, ...(body && { body }) });
  const text = await response.text();
  return { status: response.status, type: response.headers.get("content-type"), text };
};

const asText = { "content-type": "text/plain" };

describe("requests", () => {
  test("reach the function as an event of payload format 2.0", async () => {
    const answer = await post("/things/a%20b?x=1&x=2&y=%26", '{"n":1}', {
      "content-type": "application/json",
      cookie: "one=1; two=2",
      "X-Mixed-Case": "kept",
    });

    expect(answer).toMatchObject({ status: 200, type: "application/json" });
    expect(JSON.parse(answer.text)).toMatchObject({
      version: "2.0",
      routeKey: "POST /things/{id}",
      rawPath: "/things/a b",
      rawQueryString: "x=1&x=2&y=%26",
      cookies: ["one=1", "two=2"],
      headers: { "x-mixed-case": "kept", "content-type": "application/json" },
      queryStringParameters: { x: "1,2", y: "&" },
      pathParameters: { id: "a b" },
      requestContext: {
        http: { method: "POST", path: "/things/a b", sourceIp: "127.0.0.1" },
        stage: "$default",
      },
      body: '{"n":1}',
      isBase64Encoded: false,
    });
  });

  test("go to $default when no route has their method", async () => {
    const response = await fetch(`${runtime.url}/things/1`);

    expect([response.status, await response.text()]).toEqual([404, "nothing here"]);
  });

  test("may not be larger than API Gateway takes", async () => {
    expect(await post("/things/1", "x".repeat(10 * 1024 * 1024 + 1), asText)).toMatchObject({ status: 413 });
  });
});

describe("sizes are counted in bytes, as AWS does:", () => {
  // A character that takes two bytes.
  const wide = "é";

  test("a request line and headers of more than 10,240 bytes are refused", async () => {
    const withHeader = (bytes: number) => post("/things/1", "{}", { "x-large": "x".repeat(bytes) });

    expect(await withHeader(9_800)).toMatchObject({ status: 200 });
    expect(await withHeader(10_300)).toMatchObject({ status: 431 });
    expect(await post(`/things/1?q=${"x".repeat(10_300)}`)).toMatchObject({ status: 431 });
  });

  test("an event of more than 6 MB is refused", async () => {
    expect(await post("/things/1", wide.repeat(3.2 * 1024 * 1024), asText)).toMatchObject({ status: 413 });
  });

  test("an answer of more than 6 MB is an internal error", async () => {
    expect(await post("/large", "4000000", asText)).toMatchObject({ status: 500 });
    expect(await post("/large", "3000000", asText)).toMatchObject({ status: 200 });
  });
});

describe("answers", () => {
  test("carry headers, cookies and binary bodies", async () => {
    const response = await fetch(`${runtime.url}/cookies`);

    expect(response.status).toBe(201);
    expect(response.headers.get("x-one")).toBe("1");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255]);
  });
});

describe("instances", () => {
  test("keep their module's state, and see Lambda's environment and no other", async () => {
    const [first, second] = [await post("/state"), await post("/state")].map(({ text }) => JSON.parse(text));

    expect(second.calls).toBe(first.calls + 1);
    expect(first).toMatchObject({
      environment: {
        AWS_REGION: "us-east-1",
        AWS_LAMBDA_FUNCTION_NAME: "fixture-app-stateful",
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "256",
        PATH: null,
      },
      context: { functionName: "fixture-app-stateful", memoryLimitInMB: "256" },
    });
    expect(first.remaining).toBeLessThanOrEqual(1000);
  });

  test("live on when a handler throws", async () => {
    const before = JSON.parse((await post("/state")).text).calls;

    expect(await post("/state", "throw", asText)).toMatchObject({
      status: 500,
      text: '{"message":"Internal Server Error"}',
    });

    expect(JSON.parse((await post("/state")).text).calls).toBe(before + 2);
  });

  test.each(["exit", "hang"])("are replaced after they %s", async (outcome) => {
    expect(await post("/state", outcome, asText)).toMatchObject({ status: 500 });

    expect(JSON.parse((await post("/state")).text).calls).toBe(1);
  });

  test("that cannot be loaded answer an internal error, and the log tells why", async () => {
    const response = await fetch(`${runtime.url}/broken`);

    expect(response.status).toBe(500);
    expect(runtime.logs().some(({ text }) => text.includes("cannot be loaded"))).toBe(true);
  });

  test("make room for others when idle for longest, and begin again", async () => {
    await post("/state");

    await post("/things/1");
    const kept = JSON.parse((await post("/state")).text).calls;
    await post("/things/1");
    await fetch(`${runtime.url}/cookies`);
    const anew = JSON.parse((await post("/state")).text).calls;

    expect(kept).toBeGreaterThan(1);
    expect(anew).toBe(1);
  });

  test("are more than may stay while all of them work", async () => {
    const [state, thing, cookies] = await Promise.all([
      post("/state"),
      post("/things/1"),
      fetch(`${runtime.url}/cookies`),
    ]);

    expect([state.status, thing.status, cookies.status]).toEqual([200, 200, 201]);
  });

  test("give events that find all of them busy their turn", async () => {
    const answers = await Promise.all([post("/state"), post("/state"), post("/state")]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
