import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { permitUser } from "../../../../infra/operator/set-up/users.ts";
import { userLookup } from "../../../../shared/accounts/account-repository.ts";
import { tokenOf } from "../../../../shared/auth/mobile.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import type { Answer } from "../../../support/http/client.ts";
import { type MobileClient, signIn } from "../../../support/http/mobile.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

// A function reads the signing secret at its first call, so those that are called here start cold.
const service = await ownService({
  cold: new Set(["v2/mobile/login", "v2/mobile/verify-code", "v2/mobile/logout"]),
});

type Headers = Readonly<Record<string, string>>;

const rejection = (message: string) => ({ response: { success: false, message } });
const refused = rejection("The session is not valid or has ended; sign in again");

/** A call that says whether a session is valid; a valid one ends with it. */
const path = "/apiv2/mobile-logout-1";
const call = (headers: Headers): Promise<Answer> => service.with(headers).post(path);

function expectRefused({ status, body }: Answer): void {
  expect(status).toBe(401);
  expect(body).toEqual(refused);
}

const secret = (): string => service.runtime.secrets["SECRET_SIGNING"] ?? "";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const jwtOf = ({ headers }: MobileClient): string => headers["Authorization"] ?? "";

function claimsOf(session: MobileClient): Record<string, unknown> {
  const payload = jwtOf(session).split(".")[1] ?? "";
  return JSON.parse(Buffer.from(payload, "base64url").toString());
}

const signed = (claims: Record<string, unknown>, key = secret(), alg = "HS256"): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(bytes(key));

/** The Token that belongs to a JWT's id and a device: only who has the secret can make one. */
const tokenFor = (claims: Record<string, unknown>, device: string): string =>
  tokenOf(secret(), String(claims["jti"]), device);

const set = (key: Key, attribute: string, value: unknown) =>
  service.db.client.send(
    new UpdateCommand({
      TableName: service.db.tableName("identity"),
      Key: key,
      UpdateExpression: "SET #attribute = :value",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeNames: { "#attribute": attribute },
      ExpressionAttributeValues: { ":value": value },
    }),
  );

const userKey = ({ user_name }: MobileClient): Key => userLookup(user_name).key;

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

describe("every call of a session", () => {
  const names = [
    "Authorization",
    "Token",
    "User-Id",
    "Device-Id",
    "App",
    "App-Version",
    "System-Version",
  ] as const;

  test("needs all seven headers: the first that is missing or empty is named", async () => {
    const { headers } = await signIn(service);
    for (const [position, name] of names.entries()) {
      const { [name]: _left, ...others } = headers;
      const upToHere = Object.fromEntries(
        names.slice(0, position).map((known) => [known, headers[known] ?? ""]),
      );

      // Over HTTP blanks come as nothing, and a missing header in two ways.
      const answers = [await call({ ...others, [name]: "   " }), await call(upToHere)];

      for (const { status, body } of answers) {
        expect(status).toBe(401);
        expect(body).toEqual(rejection(`Header value invalid; ${name} is missing or empty`));
      }
    }
    expect((await call(headers)).status).toBe(200);
  });

  test.each([
    ["Bearer before the JWT", (jwt: string) => ({ Authorization: `Bearer ${jwt}` })],
    ["bearer before the JWT", (jwt: string) => ({ Authorization: `bearer ${jwt}` })],
    ["another version of the application", () => ({ "App-Version": "2.0.0", "System-Version": "Test OS 5" })],
  ])("may have %s", async (_case, change) => {
    const session = await signIn(service);

    const answer = await call({ ...session.headers, ...change(jwtOf(session)) });

    expect(answer.status).toBe(200);
  });

  test("is logged with its user", async () => {
    const session = await signIn(service);
    const answer = await call(session.headers);
    const id = answer.headers.get("x-request-id") ?? "no id";
    const line = () =>
      service.runtime.logs().find(({ text }) => text.includes(id) && text.includes('"status"'));
    await expect.poll(line, { timeout: 5000 }).toBeDefined();

    expect(JSON.parse(line()?.text ?? "")).toMatchObject({
      area: "mobile",
      actor: `user:${session.user_name}`,
      route: `POST ${path}`,
      status: 200,
    });
  });
});

describe("credentials that do not hold together are refused in one answer", () => {
  let session: MobileClient;
  let other: MobileClient;
  beforeAll(async () => {
    [session, other] = [await signIn(service), await signIn(service)];
  });

  const device = (): string => session.headers["Device-Id"] ?? "";

  type Change = () => Headers | Promise<Headers>;

  /** A JWT of one's own making, with the Token that would belong to it. */
  const forged =
    (
      change: (claims: Record<string, unknown>) => Record<string, unknown>,
      key?: () => string,
      alg?: string,
    ): Change =>
    async () => {
      const claims = change(claimsOf(session));
      return { Authorization: await signed(claims, key?.(), alg), Token: tokenFor(claims, device()) };
    };

  test.each<[string, Change]>([
    ["no JWT", () => ({ Authorization: "wrong" })],
    [
      "a JWT that says alg none and keeps the signature",
      () => {
        const [, payload, signature] = jwtOf(session).split(".");
        const header = Buffer.from('{"alg":"none"}').toString("base64url");
        return { Authorization: `${header}.${payload}.${signature}` };
      },
    ],
    [
      "a JWT whose claims were changed",
      () => {
        const [header, , signature] = jwtOf(session).split(".");
        const claims = { ...claimsOf(session), exp: inSeconds(999_999) };
        const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
        return { Authorization: `${header}.${payload}.${signature}` };
      },
    ],
    ["a JWT of a session that never was", forged((claims) => ({ ...claims, jti: crypto.randomUUID() }))],
    ["a JWT of a user that never was", forged((claims) => ({ ...claims, user_name: "nobody" }))],
    ["a JWT of another user's name", forged((claims) => ({ ...claims, user_name: other.user_name }))],
    ["another session's JWT", () => ({ Authorization: jwtOf(other) })],
    ["another session's Token", () => ({ Token: other.headers["Token"] ?? "" })],
    ["a wrong Token", () => ({ Token: "wrong" })],
    [
      "a Token made with another key",
      () => ({ Token: tokenOf("x", String(claimsOf(session)["jti"]), device()) }),
    ],
    ["another device", () => ({ "Device-Id": other.headers["Device-Id"] ?? "" })],
    [
      "another device with its Token",
      () => ({ "Device-Id": "other", Token: tokenFor(claimsOf(session), "other") }),
    ],
    ["another user", () => ({ "User-Id": other.headers["User-Id"] ?? "" })],
    ["a user id written otherwise", () => ({ "User-Id": `0${session.headers["User-Id"]}` })],
    ["a user's name as the id", () => ({ "User-Id": session.user_name })],
  ])("%s", async (_case, change) => {
    const answer = await call({ ...session.headers, ...(await change()) });

    expectRefused(answer);
  });

  test("and the session itself stays valid", async () => {
    const answer = await call(session.headers);

    expect(answer.status).toBe(200);
  });
});

describe("a session ends", () => {
  test("by logging out, and no other session of the user with it", async () => {
    const first = await signIn(service);
    const second = await signIn(service, first.user_name);

    const out = await first.post("/mobile-logout-1");
    const again = await first.post("/mobile-logout-1");
    const others = await second.post("/mobile-logout-1");

    expect(out.status).toBe(200);
    expect(out.body).toEqual({ data: { status: "success" } });
    expectRefused(again);
    expect(others.status).toBe(200);
  });

  test("with all others of the user when an operator revokes them, and the user may sign in again", async () => {
    const first = await signIn(service);
    const second = await signIn(service, first.user_name);
    const stranger = await signIn(service);

    await permitUser(service.db, first.user_name, {});

    expectRefused(await call(first.headers));
    expectRefused(await call(second.headers));
    expect((await call(stranger.headers)).status).toBe(200);
    expect((await call((await signIn(service, first.user_name)).headers)).status).toBe(200);
  });

  test.each<[string, string, unknown]>([
    ["is deactivated", "activated", false],
    ["may not use the WMS any more", "wms", false],
    ["becomes another one of the same name", "user_id", 999],
  ])("when the user %s", async (_case, attribute, value) => {
    const session = await signIn(service);

    await set(userKey(session), attribute, value);

    expectRefused(await call(session.headers));
  });

  test("when the user is gone", async () => {
    const session = await signIn(service);

    await service.db.client.send(
      new DeleteCommand({ TableName: service.db.tableName("identity"), Key: userKey(session) }),
    );

    expectRefused(await call(session.headers));
  });

  test("when it expires, even if its JWT lasts longer", async () => {
    const session = await signIn(service);
    const { jti, iat, exp } = claimsOf(session);

    await set({ pk: `session#${jti}`, sk: "-" }, "expires_at", inSeconds(-1));

    expect(Number(exp) - Number(iat)).toBe(12 * 60 * 60);
    expectRefused(await call(session.headers));
  });
});

describe("the secret", () => {
  test("is read once by an instance, not with every call", async () => {
    const read = (calls: ReturnType<typeof service.runtime.calls>) =>
      calls.filter(({ operation }) => operation === "GetSecretValue").length;

    // Two functions read it, of each of which at most four instances run.
    expect(read(service.runtime.calls())).toBeGreaterThan(0);
    expect(read(service.runtime.calls())).toBeLessThanOrEqual(2 * 4);
    expect(secret()).toMatch(/^[A-Za-z0-9]{64}$/);
  });
});
