import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

/** Answers as Secrets Manager: with `current`, or with an error while there is none. */
let server: Server;
let current: string | undefined;
let asked: unknown[];

beforeEach(async () => {
  [current, asked] = ["first", []];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(current === undefined ? 400 : 200, { "content-type": "application/x-amz-json-1.1" });
    response.end(
      JSON.stringify(current === undefined ? { __type: "AccessDeniedException" } : { SecretString: current }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", `http://127.0.0.1:${port}`);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  vi.stubEnv("SECRET_SIGNING", "arn:aws:secretsmanager:us-east-1:000000000000:secret:signing");
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.resetModules();
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

/** The module of a Lambda instance that has just started. */
const instance = async () => {
  const { signingSecrets } = await import("../../../shared/auth/signing-secret.ts");
  return async () => (await signingSecrets()).accepted.join();
};

const minutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000);

describe("the signing secret", () => {
  test("is read by its ARN, once for all requests of an instance", async () => {
    const signingSecret = await instance();

    const [first, second] = await Promise.all([signingSecret(), signingSecret()]);
    minutes(4);
    const third = await signingSecret();

    expect([first, second, third]).toEqual(["first", "first", "first"]);
    expect(asked).toEqual([{ SecretId: process.env["SECRET_SIGNING"] }]);
  });

  test("is read again after five minutes, so that a rotated one holds", async () => {
    const signingSecret = await instance();
    await signingSecret();
    current = "second";

    minutes(5);

    expect(await signingSecret()).toBe("second");
    expect(asked).toHaveLength(2);
  });

  test("is read again if the read failed", async () => {
    const signingSecret = await instance();
    current = undefined;
    await expect(signingSecret()).rejects.toThrow();
    current = "first";

    expect(await signingSecret()).toBe("first");
  });

  test("may be several with spaces between, of which the first signs", async () => {
    const { signingSecrets } = await import("../../../shared/auth/signing-secret.ts");
    current = "second first";

    expect(await signingSecrets()).toEqual({ current: "second", accepted: ["second", "first"] });
  });

  test.each(["", " "])("is not recognized if it is blank: %j", async (blank) => {
    const signingSecret = await instance();
    current = blank;

    await expect(signingSecret()).rejects.toThrow("empty");
  });
});
