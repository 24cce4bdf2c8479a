/** What no contract of an endpoint answers: wrong paths and methods, preflights, the health. */
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { functions } from "../../../functions/index.ts";
import { notFoundLambda } from "../../../shared/http/fallback/not-found.ts";
import { methodsAt, pathMeant, servedPaths } from "../../../shared/http/fallback/served-paths.ts";
import { healthLambda } from "../../../shared/http/health.ts";
import { gateway } from "../../../shared/http/http-handler.ts";
import { json } from "../../../shared/http/responses.ts";
import { type Route, routesOf } from "../../../shared/runtime/contract.ts";
import { corsVariable } from "../../../shared/runtime/shared-names.ts";
import { context, eventOf } from "../samples.ts";

afterEach(() => void vi.unstubAllEnvs());

const call = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
  const event = eventOf({ headers });
  const { requestContext } = event;
  return { ...event, requestContext: { ...requestContext, http: { ...requestContext.http, method, path } } };
};

const routes: readonly Route[] = Object.values(functions).flatMap((contract) =>
  contract.type === "endpoint" || contract.type === "page" || contract.type === "health-check"
    ? routesOf(contract)
    : [],
);
const served = servedPaths(routes.map(({ method, path }) => `${method} ${path}`));
const filled = (path: string) => path.replaceAll(/\{\w+\}/g, "42");
const paths = [...new Set(routes.map(({ path }) => filled(path)))];
const anyPath = fc.constantFrom(...paths);

describe("a path", () => {
  test("has the methods of its routes, HEAD beside GET, and OPTIONS", () => {
    for (const { method, path } of routes) {
      const methods = methodsAt(filled(path), served);

      expect(methods).toContain(method);
      expect(methods.includes("HEAD")).toBe(methods.includes("GET"));
      expect(methods.at(-1)).toBe("OPTIONS");
    }
  });

  test("with a trailing slash, in another case, singular, or with a segment too many is the one that was meant", () => {
    const slips: readonly ((path: string) => string)[] = [
      (path) => `${path}/`,
      (path) => path.replace("/oms/", "/OMS/"),
      (path) => path.replace(/s(?=\/|$)/, ""),
      (path) => path.replace("/oms/", "//oms/"),
      (path) => path.replace("/oms/", "/oms/v1/"),
      (path) => path.replace("/apirest/", "/api/apirest/"),
      (path) => path.replace(/^.*\/oms(?=\/)/, "$&$&"),
    ];
    fc.assert(
      fc.property(anyPath, fc.constantFrom(...slips), (path, slip) => {
        const sent = slip(path);
        fc.pre(methodsAt(sent, served).length === 0);

        expect(pathMeant(sent, served)).toBe(path);
      }),
      { numRuns: 80 },
    );
  });

  test("that is like no served one is not taken for any, however long it is", () => {
    const unlike = ["/", "/nowhere", "/x".repeat(5000), `/${"orders".repeat(1000)}`];
    const unknown = ["customers", "customers/5", "inventory/categories"].map(
      (one) => `/apirest/v4/oms/${one}`,
    );
    for (const sent of [...unlike, ...unknown]) expect(pathMeant(sent, served)).toBeUndefined();
  });
});

describe("pages of other sites", () => {
  const origin = "https://shop.example.com";
  const fallback = notFoundLambda(["GET /orders", "POST /orders"]);
  const any = gateway(async () => json(200, {}));
  const preflight = { origin, "access-control-request-method": "POST" };
  const options = (headers: Record<string, string>) => fallback(call("OPTIONS", "/orders", headers), context);
  const corsOf = ({ headers = {} }: { headers?: object | undefined }) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => /^access-control|^vary/.test(name)));

  test("may not call the service without the setting", async () => {
    const answers = [await options(preflight), await any(call("GET", "/orders", { origin }), context)];

    expect(answers.map(corsOf)).toEqual([{}, {}]);
  });

  test.each([
    ["*", origin, "*", undefined],
    [`${origin} https://b.example`, origin, origin, "origin"],
    ["https://b.example", origin, undefined, "origin"],
    ["https://shop.example.com.evil.example", origin, undefined, "origin"],
  ])(
    "with corsOrigins %s may call it if their origin %s is one of them",
    async (setting, sent, allowed, vary) => {
      vi.stubEnv(corsVariable, setting);

      const asked = await options({ ...preflight, origin: sent });
      const answer = await any(call("GET", "/orders", { origin: sent }), context);
      const { headers: ofNoPreflight } = await options({ origin: sent });

      expect(ofNoPreflight).not.toHaveProperty("access-control-allow-methods");
      expect(asked.statusCode).toBe(204);
      for (const { headers = {} } of [asked, answer]) {
        expect(headers["access-control-allow-origin"]).toBe(allowed);
        expect(headers["vary"]).toBe(vary);
      }
      expect(asked.headers?.["access-control-allow-methods"]).toBe(
        allowed === undefined ? undefined : "GET, HEAD, POST, OPTIONS",
      );
      if (allowed === undefined) return;
      expect(asked.headers?.["access-control-allow-headers"]).toMatch(
        /\bkey\b.*\bidempotency-key\b.*\bif-match\b/,
      );
      expect(answer.headers?.["access-control-expose-headers"]).toMatch(/\betag\b.*\bx-request-id\b/);
    },
  );
});

describe("the health", () => {
  test("is read once a second by an instance, however many ask, and is 503 while the read fails", async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const uptime = vi.spyOn(process, "uptime").mockReturnValue(100);
    let reads = 0;
    let isDown = false;
    const health = healthLambda(async () => {
      reads += 1;
      if (isDown) throw new Error("down");
    });
    const statuses = async () =>
      (await Promise.all([1, 2, 3].map(() => health(call("GET", "/health"), context)))).map(
        ({ statusCode }) => statusCode,
      );

    const working = await statuses();
    isDown = true;
    const within = await statuses();
    uptime.mockReturnValue(101);
    const failing = await statuses();

    expect([working, within, failing]).toEqual([Array(3).fill(200), Array(3).fill(200), Array(3).fill(503)]);
    expect(reads).toBe(2);
    vi.restoreAllMocks();
  });
});
