/**
 * A service that only CloudFront may call, over HTTP: the test sends what CloudFront adds to a viewer's call.
 */
import { describe, expect, test } from "vitest";
import { demoPassword } from "../../../../infra/demo/registry.ts";
import { hashKey, newKey } from "../../../../shared/auth/secrets.ts";
import { deviceHeaders, newUser } from "../../../support/http/mobile.ts";
import { orderOf } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const secret = newKey();
const internal = "/apirest/v4/oms/internal/docs";

const service = await ownService({
  environment: { EDGE_DIGESTS: hashKey(secret) },
});

/** What CloudFront adds to the call of a viewer with this address. */
const fromViewer = (address: string, proof = secret) => ({
  "x-origin-verify": proof,
  "true-client-ip": address,
  "x-forwarded-host": "api.example.com",
});

/**
 * A call as it comes to API Gateway. No document describes API Gateway's own address, so no answer is held to
 * one.
 */
const send = (path: string, headers: Readonly<Record<string, string>>, body?: object): Promise<Response> =>
  fetch(`${service.runtime.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "manual",
  });

const login = async (address: string, username: string, password: string): Promise<number> => {
  const headers = { ...deviceHeaders(), ...fromViewer(address) };
  return (await send("/apiv2/mobile-login-1", headers, { username, password })).status;
};

describe("through CloudFront", () => {
  test("a call is answered", async () => {
    const headers = { ...service.credentials, ...fromViewer("192.0.2.1") };

    const answer = await send("/apirest/v4/oms/orders?per_page=1", headers);

    expect(answer.status).toBe(200);
  });

  test("failed sign-ins count by the viewer's address", async () => {
    const user = await newUser(service);
    const failed: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) failed.push(await login("192.0.2.2", user, "wrong"));

    const elsewhere = await login("192.0.2.3", user, demoPassword);

    expect([...failed, elsewhere]).toEqual([401, 401, 401, 401, 401, 429, 200]);
  });

  test("the internal page goes by the viewer's address", async () => {
    const [inside, outside] = [
      await send(internal, fromViewer("127.0.0.1")),
      await send(internal, fromViewer("192.0.2.4")),
    ];

    expect([inside.status, outside.status]).toEqual([200, 403]);
    expect(await outside.text()).toContain("192.0.2.4 is in none of them");
  });

  test("a form counts as the service's own by the host that the viewer called", async () => {
    const form = (origin: string) =>
      fetch(`${service.runtime.url}/apirest/v4/wms/docs/sign-out`, {
        method: "POST",
        headers: { origin, ...fromViewer("192.0.2.5") },
        body: new URLSearchParams(),
        redirect: "manual",
      });

    const [own, foreign] = [await form("https://api.example.com"), await form(service.runtime.url)];

    expect([own.status, foreign.status]).toEqual([303, 403]);
  });

  test("the log tells the viewer's address, and no secret", async () => {
    await send("/apirest/v4/oms/nowhere", fromViewer("192.0.2.6"));

    const lines = service.runtime.logs().map(({ text }) => text);

    expect(lines.filter((line) => line.includes('"source":"192.0.2.6"'))).not.toEqual([]);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  });
});

describe("around CloudFront", () => {
  const paths = ["/apirest/v4/oms/orders", "/apirest/v4/oms/docs", "/apiv2/nowhere", internal];

  test.each(paths)("%s is 403, whatever address the caller claims", async (path) => {
    const headers = { ...service.credentials, ...fromViewer("127.0.0.1", "guessed") };

    const answers = [await send(path, headers), await send(path, service.credentials)];

    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    for (const answer of answers)
      expect(await answer.json()).toEqual({
        response: {
          success: false,
          message: "This address answers no calls; call the service by its own domain",
        },
      });
  });

  test("a write is refused, and stores nothing", async () => {
    const order = orderOf();
    const found = async () => {
      const headers = { ...service.credentials, ...fromViewer("192.0.2.1") };
      return (await send(`/apirest/v4/oms/orders?order_number=${order.order_number}`, headers)).json();
    };

    const answer = await send("/apirest/v4/oms/orders", service.credentials, { data: [order] });

    expect(answer.status).toBe(403);
    expect(await found()).toMatchObject({ data: [] });
  });
});
