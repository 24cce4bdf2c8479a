import { inspect } from "node:util";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { calls } from "../../../../infra/documents/client/template/typescript/calls.ts";
import { failureOf, ServiceError } from "../../../../infra/documents/client/template/typescript/failure.ts";
import { events, type FeedQuery } from "../../../../infra/documents/client/template/typescript/feed.ts";
import { type PageQuery, records } from "../../../../infra/documents/client/template/typescript/pages.ts";
import {
  type ReceivedHeaders,
  SignatureError,
  verifyWebhook,
} from "../../../../infra/documents/client/template/typescript/signature.ts";

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

  test("is printed with each of its places once", () => {
    const errors = [{ path: "data.0.sku", message: "already exists (LAMP)" }];
    const body = { response: { success: false, message: "data.0.sku already exists (LAMP)", errors } };

    const printed = inspect(failureOf(new Response("", { status: 400 }), body));

    expect(printed.match(/path: 'data\.0\.sku'/g)).toHaveLength(1);
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
    readonly "/products/{sku}": {
      readonly get: {
        parameters: { path: { sku: string } };
        responses: { 200: { content: { "application/json": { data: string } } } };
      };
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

  test.each(["AB?C", "2026/001"])(
    "is not sent with %s in its path, which would name another record",
    async (sku) => {
      const oms = client(() => Response.json({ data: "found" }), "http://never.test");

      await expect(oms.GET("/products/{sku}", { params: { path: { sku } } })).rejects.toMatchObject({
        status: 400,
        message: "sku can't hold / or ? in a path; use a filter of the list to find the record",
      });
      expect(await oms.GET("/products/{sku}", { params: { path: { sku: "A B%" } } })).toEqual({
        data: "found",
      });
      expect(sent).not.toContainEqual(expect.stringMatching(/never.*(2026|AB)/));
      expect(sent).toContain("http://never.test/oms/products/A%20B%25 k");
    },
  );

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
});

describe("the feed", () => {
  /** A feed of three events whose calls answer two at most. */
  const feedOf = (asked: FeedQuery[]) => async (query: FeedQuery) => {
    asked.push(query);
    const data = [1, 2, 3].filter((sequence) => sequence > (query.after ?? 0)).slice(0, 2);
    return { data, feed: { next_after: data.at(-1) ?? query.after ?? 0, latest: 3 } };
  };

  test("is read to its end, from the event on that was stated", async () => {
    const asked: FeedQuery[] = [];

    const found: number[] = [];
    for await (const sequence of events(feedOf(asked), { after: 0, follow: false })) found.push(sequence);

    expect(found).toEqual([1, 2, 3]);
    expect(asked).toEqual([0, 2].map((after) => ({ after, limit: 100, wait: 0 })));
  });

  test("is followed beyond its end until the loop stops", async () => {
    const asked: FeedQuery[] = [];
    const read = feedOf(asked);
    const found: number[] = [];

    const following = events(async (query) => {
      if (asked.length === 3) return { data: [4], feed: { next_after: 4, latest: 4 } };
      return read(query);
    });
    for await (const sequence of following) {
      found.push(sequence);
      if (sequence === 4) break;
    }

    expect(found).toEqual([1, 2, 3, 4]);
    expect(asked.map(({ after, wait }) => [after, wait])).toEqual([
      [undefined, 20],
      [2, 20],
      [3, 20],
    ]);
  });
});

describe("the checkpoint of the feed", () => {
  test("learns how far it was read, once the loop has taken what was read, also if no event matched", async () => {
    const parts = [
      { data: ["a", "b"], feed: { next_after: 7, latest: 40 } },
      { data: [], feed: { next_after: 40, latest: 40 } },
    ];
    const steps: (string | number)[] = [];
    const read = async () => parts.shift() ?? { data: [], feed: { next_after: 0, latest: 0 } };
    const checkpoint = async (after: number) => void steps.push(after);

    for await (const event of events(read, { after: 5, follow: false, checkpoint })) steps.push(event);

    expect(steps).toEqual(["a", "b", 7, 40]);
  });
});

describe("a webhook's request", () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const body = JSON.stringify({ type: "webhook.test", data: "é" });
  /** Headers as a library of Standard Webhooks makes them. */
  const headersAt = (date: Date, id = "evt_1") => ({
    "Webhook-Id": id,
    "webhook-timestamp": String(Math.floor(date.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, date, body),
  });
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

  test.each<readonly [string, string | Uint8Array, ReceivedHeaders]>([
    ["headers of Node", body, headersAt(new Date())],
    ["bytes, and headers of fetch", Buffer.from(body), new Headers(headersAt(minutesAgo(4)))],
    [
      "one of two signatures",
      body,
      {
        ...headersAt(new Date()),
        "webhook-signature": `v1,AAAA v1,%% ${headersAt(new Date())["webhook-signature"]}`,
      },
    ],
  ])("is taken with %s", async (_, sent, headers) => {
    expect(await verifyWebhook(sent, headers, secret)).toEqual(JSON.parse(body));
  });

  test.each<readonly [string, string, ReceivedHeaders]>([
    ["of another body", `${body} `, headersAt(new Date())],
    ["of another id", body, { ...headersAt(new Date()), "Webhook-Id": "evt_2" }],
    ["that is six minutes old", body, headersAt(minutesAgo(6))],
    ["of six minutes ahead", body, headersAt(minutesAgo(-6))],
    ["without a signature", body, { ...headersAt(new Date()), "webhook-signature": undefined }],
    ["without headers", body, {}],
  ])("is refused %s", async (_, sent, headers) => {
    await expect(verifyWebhook(sent, headers, secret)).rejects.toThrow(SignatureError);
  });
});
