import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hashKey } from "../../../shared/auth/secrets.ts";
import { throughEdge } from "../../../shared/http/request/edge.ts";
import { eventOf, problemOf } from "../samples.ts";

const [current, next] = ["secret of now", "secret to come"];

/** A call that CloudFront handed on: API Gateway names CloudFront's address as its source. */
const call = (headers: Readonly<Record<string, string>>) => throughEdge(eventOf({ headers: { ...headers } }));
const sourceOf = (headers: Readonly<Record<string, string>>) => call(headers).requestContext.http.sourceIp;

beforeEach(() => vi.stubEnv("EDGE_DIGESTS", `${hashKey(current)} ${hashKey(next)}`));
afterEach(() => void vi.unstubAllEnvs());

describe("a call with the edge's proof", () => {
  test.each([current, next])("has the viewer's address as its source, by any accepted secret", (proof) => {
    expect(sourceOf({ "x-origin-verify": proof, "true-client-ip": "192.0.2.7" })).toBe("192.0.2.7");
    expect(sourceOf({ "x-origin-verify": proof, "true-client-ip": "2001:db8::7" })).toBe("2001:db8::7");
  });

  test("has the host that the viewer called, and no proof any more", () => {
    const sent = { host: "api.internal", "x-forwarded-host": "api.example.com", "x-origin-verify": current };

    const { headers } = call(sent);

    expect(headers).toEqual({ host: "api.example.com", "x-forwarded-host": "api.example.com" });
  });

  test.each([{}, { "true-client-ip": "somebody" }])(
    "is the connection's source if %j names no address",
    (named) => {
      expect(sourceOf({ "x-origin-verify": current, ...named })).toBe("127.0.0.1");
    },
  );
});

describe("a call around the edge", () => {
  const forged = {
    "true-client-ip": "192.0.2.7",
    "x-forwarded-host": "api.example.com",
    host: "api.internal",
  };

  test.each([
    {},
    { "x-origin-verify": "" },
    { "x-origin-verify": "guessed" },
    { "x-origin-verify": hashKey(current) },
    { "x-origin-verify": `${current} ${next}` },
  ])("is refused with the proof %j", (proof) => {
    const problem = problemOf(() => call({ ...forged, ...proof }));

    expect([problem.kind, problem.message]).toEqual([
      "forbidden",
      "This address answers no calls; call the service by its own domain",
    ]);
  });

  test("counts its own address and host while such calls are still answered", () => {
    vi.stubEnv("EDGE_DIRECT", "answered");

    const { headers, requestContext } = call({ ...forged, "x-origin-verify": "guessed" });

    expect(requestContext.http.sourceIp).toBe("127.0.0.1");
    expect(headers).toEqual(forged);
  });
});

test("without an edge, no header names another source", () => {
  vi.stubEnv("EDGE_DIGESTS", undefined);
  const event = eventOf({ headers: { "x-origin-verify": current, "true-client-ip": "192.0.2.7" } });

  expect(throughEdge(event)).toBe(event);
});
