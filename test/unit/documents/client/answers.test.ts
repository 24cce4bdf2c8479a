import { describe, expect, test } from "vitest";
import { calls } from "../../../../infra/documents/client/template/src/calls.ts";
import { failureOf, ServiceError } from "../../../../infra/documents/client/template/src/failure.ts";
import { type PageQuery, records } from "../../../../infra/documents/client/template/src/pages.ts";

describe("the error that an answer comes to", () => {
  test("has the message, the wrong places and the request's id", () => {
    const places = [{ path: "data.0.sku", message: "is required" }];
    const body = { response: { success: false, message: "data.0.sku is required", errors: places } };

    const error = failureOf(new Response("", { status: 400, headers: { "x-request-id": "r-1" } }), body);

    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      message: "data.0.sku is required",
      status: 400,
      errors: places,
      requestId: "r-1",
      body,
    });
  });

  test.each([
    ["a recount", { success: false, message: "bin does not exist", code: 400 }, "bin does not exist"],
    ["API Gateway", { message: "Too Many Requests" }, "Too Many Requests"],
    ["a proxy", "<h1>Bad gateway</h1>", "The service answered with status 502 and no message"],
  ])("has the message of %s, too", (_case, body, message) => {
    const answer = new Response("", { status: 502, headers: { "apigw-requestid": "g-1" } });

    expect(failureOf(answer, body)).toMatchObject({ message, errors: [], requestId: "g-1" });
  });
});

describe("a call of the client", () => {
  interface Paths {
    readonly "/ping": {
      readonly get: { responses: { 200: { content: { "application/json": { data: string } } } } };
    };
  }
  const client = (answer: () => Response, url = "http://service.test") =>
    calls<Paths>(
      {
        url,
        retries: { attempts: 1 },
        fetch: async (request) => {
          sent.push(`${request.url} ${request.headers.get("Key")}`);
          return answer();
        },
      },
      { prefix: "/oms", credentials: { Key: "k" } },
    );
  const sent: string[] = [];

  test("goes to the area's path with its credentials, and answers the body", async () => {
    const oms = client(() => Response.json({ data: "pong" }), "http://service.test/");

    expect(await oms.GET("/ping")).toEqual({ data: "pong" });
    expect(sent).toEqual(["http://service.test/oms/ping k"]);
  });

  test("whose success is no JSON is a ServiceError, as something else than the service answers there", async () => {
    const oms = client(() => new Response("<html>"));

    await expect(oms.GET("/ping")).rejects.toThrow(
      new ServiceError({ message: "The answer is no JSON; does the url lead to the service?" }),
    );
  });

  test("that is refused without a body is a ServiceError", async () => {
    const refused = client(() => new Response(null, { status: 413 })).GET("/ping");

    await expect(refused).rejects.toMatchObject({ name: "ServiceError", status: 413 });
  });
});

async function collected<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const record of records) found.push(record);
  return found;
}

describe("the records of a list", () => {
  const pageOf = (asked: PageQuery[]) => async (query: PageQuery) => {
    asked.push(query);
    return { data: [query.page * 10, query.page * 10 + 1], metadata: { total_pages: 3 } };
  };

  test("come from all its pages, in their order", async () => {
    const asked: PageQuery[] = [];

    const found = await collected(records(pageOf(asked), 2));

    expect(found).toEqual([10, 11, 20, 21, 30, 31]);
    expect(asked).toEqual([1, 2, 3].map((page) => ({ page, per_page: 2 })));
  });

  test("are read no further than the loop goes", async () => {
    const asked: PageQuery[] = [];

    for await (const record of records(pageOf(asked))) if (record === 20) break;

    expect(asked).toEqual([1, 2].map((page) => ({ page, per_page: 100 })));
  });

  test("of an empty list are none", async () => {
    const empty = async () => ({ data: [], metadata: { total_pages: 0 } });

    expect(await collected(records(empty))).toEqual([]);
  });
});
