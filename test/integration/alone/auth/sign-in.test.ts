import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { demoPassword, demoTotpSecret } from "../../../../infra/demo/registry.ts";
import { permitUser, renewCredentials } from "../../../../infra/operator/set-up/users.ts";
import { credentialsLookup, spendCode } from "../../../../shared/accounts/credential-repository.ts";
import { hashKey } from "../../../../shared/auth/secrets.ts";
import { invalidCode } from "../../../../shared/auth/sign-in.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { removalOf } from "../../../../shared/store/dynamodb/writes.ts";
import { atOnce, timesAtOnce } from "../../../support/http/at-once.ts";
import type { Answer } from "../../../support/http/client.ts";
import {
  codeIn,
  demoCredentials,
  deviceHeaders,
  failedBefore,
  login,
  newUser,
  textOf,
  verify,
} from "../../../support/http/mobile.ts";
import { unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService();

const rejection = (message: string) => ({ response: { success: false, message } });
const wrongPassword = rejection("The user name or the password is wrong");
const wrongCode = rejection("The code or the login is wrong, too old or used already");
const tooMany = rejection("Too many sign-ins of this user have failed; try again later");

/** A code of no half minute near this one. */
const guess = (): string => codeIn(1000);

async function begun(user_name: string, device = deviceHeaders()) {
  const answer = await login(service, user_name, { device });
  return { user_name, device, login_id: textOf(answer, "data.login_id") };
}

const complete = ({ login_id, device }: Awaited<ReturnType<typeof begun>>, code: string): Promise<Answer> =>
  verify(service, login_id, code, device);

const statuses = (answers: readonly Answer[]): readonly number[] =>
  answers.map(({ status }) => status).toSorted();

describe("the password", () => {
  test("begins a login that waits five minutes for its code", async () => {
    const answer = await login(service, await newUser(service));

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: { login_id: expect.stringMatching(/^[\w-]{43}$/), expires_in: 300 },
    });
  });

  test("is refused in one answer, whatever is wrong", async () => {
    const nobody = unique("nobody");
    const withoutCredentials = await newUser(service);
    await transact(service.db, [removalOf(credentialsLookup(withoutCredentials))]);

    const answers = [
      await login(service, await newUser(service), { password: "wrong" }),
      await login(service, await newUser(service), { password: demoPassword.toUpperCase() }),
      await login(service, await newUser(service), { password: `${demoPassword} ` }),
      await login(service, await newUser(service), { password: demoTotpSecret }),
      await login(service, nobody),
      await login(service, await newUser(service, { activated: false })),
      await login(service, await newUser(service, { wms: false })),
      await login(service, withoutCredentials),
    ];

    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual(wrongPassword);
    }
  });

  test("starts a new login even with an Idempotency-Key, since credentials are not kept", async () => {
    const username = await newUser(service);
    const headers = { ...deviceHeaders(), "Idempotency-Key": unique("key") };
    const body = { username, password: demoPassword };

    const [first, second] = [
      await service.with(headers).post("/apiv2/mobile-login-1", body),
      await service.with(headers).post("/apiv2/mobile-login-1", body),
    ];

    expect(second.headers.get("idempotent-replayed")).toBeNull();
    expect(textOf(first, "data.login_id")).not.toBe(textOf(second, "data.login_id"));
  });
});

describe("signing in needs the headers of a device", () => {
  const names = ["Device-Id", "App", "App-Version", "System-Version"] as const;

  test.each(names)("a missing or empty %s is refused before the body is looked at", async (name) => {
    const { [name]: _left, ...others } = deviceHeaders();
    const answers = [
      await service.with(others).post("/apiv2/mobile-login-1", {}),
      await service.with({ ...others, [name]: "" }).post("/apiv2/mobile-verify-code-1", {}),
    ];

    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual(rejection(`Header value invalid; ${name} is missing or empty`));
    }
  });

  test.each(names)("%s has at most 255 characters", async (name) => {
    const headers = { ...deviceHeaders(), [name]: "x".repeat(256) };

    const answer = await service.with(headers).post("/apiv2/mobile-login-1", {});

    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(rejection(`Header value invalid; ${name} has more than 255 characters`));
  });
});

describe("the code", () => {
  test("completes the login with the credentials of a session of twelve hours", async () => {
    const user_name = await newUser(service);

    const answer = await complete(await begun(user_name), codeIn());

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        jwt: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token: expect.stringMatching(/^[\w-]{43}$/),
        user_id: expect.any(Number),
        expires_in: 43_200,
      },
    });
  });

  test("may be mistyped and sent again", async () => {
    const waiting = await begun(await newUser(service));

    const wrong = await complete(waiting, guess());
    const right = await complete(waiting, codeIn());

    expect(wrong.body).toEqual(wrongCode);
    expect([wrong.status, right.status]).toEqual([401, 200]);
  });

  test("works once, and no older code works afterwards", async () => {
    const user_name = await newUser(service);
    const [older, newer] = [codeIn(), codeIn(1)];
    const logins = [await begun(user_name), await begun(user_name), await begun(user_name)] as const;

    const first = await complete(logins[0], newer);
    const again = await complete(logins[1], newer);
    const before = await complete(logins[2], older);

    expect(first.status).toBe(200);
    for (const { status, body } of [again, before]) {
      expect(status).toBe(401);
      expect(body).toEqual(wrongCode);
    }
  });

  test("that was checked by an old secret is not spent on the new one", async () => {
    const { db } = service;
    const user_name = await newUser(service);
    const secret = { secret: demoTotpSecret, step: Math.floor(Date.now() / 30_000) };
    const credentials = await demoCredentials();
    await renewCredentials(db, user_name, { ...credentials, totp_secret: "GEZDGNBVGY3TQOJQ" });

    const spent = transact(db, [spendCode({ user_name }, secret, invalidCode)]);

    await expect(spent).rejects.toThrow("The code or the login is wrong");
  });

  test("works once also for calls at the same time", async () => {
    const user_name = await newUser(service);
    const logins = [await begun(user_name), await begun(user_name), await begun(user_name)];
    const code = codeIn();

    const answers = await atOnce(
      service,
      logins.map((waiting) => () => complete(waiting, code)),
    );

    expect(statuses(answers)).toEqual([200, 401, 401]);
  });
});

describe("a login", () => {
  test("can be completed once also by two codes at the same time", async () => {
    const waiting = await begun(await newUser(service));

    const answers = await atOnce(
      service,
      [codeIn(), codeIn(1)].map((code) => () => complete(waiting, code)),
    );

    expect(statuses(answers)).toEqual([200, 401]);
  });

  test("is its device's alone", async () => {
    const waiting = await begun(await newUser(service));

    const stolen = await complete({ ...waiting, device: deviceHeaders() }, codeIn());
    const own = await complete(waiting, codeIn());

    expect(stolen.body).toEqual(wrongCode);
    expect([stolen.status, own.status]).toEqual([401, 200]);
  });

  test("that there never was is refused in the same words", async () => {
    const answer = await verify(service, unique("login"), codeIn(), deviceHeaders());

    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(wrongCode);
  });

  test("waits no longer than it says", async () => {
    const { db } = service;
    const waiting = await begun(await newUser(service));
    await db.client.send(
      new UpdateCommand({
        TableName: db.tableName("identity"),
        Key: { pk: `login#${hashKey(waiting.login_id)}`, sk: "-" },
        UpdateExpression: "SET expires_at = :past",
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeValues: { ":past": Math.floor(Date.now() / 1000) - 1 },
      }),
    );

    const answer = await complete(waiting, codeIn());

    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(wrongCode);
  });

  test("ends when the user is given new credentials, and when the user is deactivated", async () => {
    const [reset, deactivated] = [await begun(await newUser(service)), await begun(await newUser(service))];
    const credentials = await demoCredentials();
    await renewCredentials(service.db, reset.user_name, credentials);
    await permitUser(service.db, deactivated.user_name, { activated: false });

    const answers = [await complete(reset, codeIn()), await complete(deactivated, codeIn())];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(answers.map(({ body }) => body)).toEqual([wrongCode, wrongCode]);
  });
});

describe("after five failures of a user name from one source", () => {
  const wrongLogin = (user_name: string) => login(service, user_name, { password: "wrong" });

  function expectTooMany({ status, body, headers }: Answer): void {
    expect(status).toBe(429);
    expect(body).toEqual(tooMany);
    const seconds = Number(headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
  }

  test.each([
    ["a user's", () => newUser(service), 5],
    // To refuse a name that nobody has takes as long as to check a password.
    ["that nobody has", async () => unique("nobody"), 1],
  ])("%s, also the right password is 429 with Retry-After", async (_case, named, calls) => {
    const user_name = await named();
    await failedBefore(service, user_name, 5 - calls);
    const failed = [];
    for (let attempt = 1; attempt <= calls; attempt += 1) failed.push(await wrongLogin(user_name));

    const answer = await login(service, user_name);

    expect(failed.map(({ status }) => status)).toEqual(Array(calls).fill(401));
    expectTooMany(answer);
  });

  test("codes count like passwords, and the right code is 429 as well", async () => {
    const user_name = await newUser(service);
    const waiting = await begun(user_name);
    const failed = [await wrongLogin(user_name), await wrongLogin(user_name)];
    for (let attempt = 1; attempt <= 3; attempt += 1) failed.push(await complete(waiting, guess()));

    const code = await complete(waiting, codeIn());
    const password = await login(service, user_name);

    expect(failed.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expectTooMany(code);
    expectTooMany(password);
  });

  test("guesses made at the same time are no way around: passwords", async () => {
    const user_name = await newUser(service);

    const answers = await timesAtOnce(service, 12, () => wrongLogin(user_name));

    expect(statuses(answers)).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
  });

  test("guesses made at the same time are no way around: codes", async () => {
    const waiting = await begun(await newUser(service));

    const answers = await timesAtOnce(service, 12, () => complete(waiting, guess()));

    expect(statuses(answers)).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
  });

  test("the right password between the guesses is no way around", async () => {
    const user_name = await newUser(service);
    await failedBefore(service, user_name, 2);
    const guesses = [];
    for (let attempt = 3; attempt <= 5; attempt += 1) {
      guesses.push(await complete(await begun(user_name), guess()));
    }

    const answer = await login(service, user_name);

    expect(guesses.map(({ status }) => status)).toEqual([401, 401, 401]);
    expectTooMany(answer);
  });

  test("successes don't count", async () => {
    const user_name = await newUser(service);
    const answers = [];
    for (let attempt = 1; attempt <= 7; attempt += 1) answers.push(await login(service, user_name));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("another user name is not concerned", async () => {
    const unlucky = await newUser(service);
    await failedBefore(service, unlucky, 5);

    const answer = await login(service, await newUser(service));

    expect(answer.status).toBe(200);
  });
});

describe("nothing that is secret is told", () => {
  test("in a log or an error, whatever becomes of the calls", async () => {
    const user_name = await newUser(service);
    const device = deviceHeaders();
    const [guessed, mistyped] = [unique("guessed-password"), unique("password-as-name")];
    const refused = [
      await login(service, user_name, { password: guessed }),
      await login(service, mistyped),
      await service.with(device).send("POST", "/apiv2/mobile-login-1", `{"password":"${guessed}"`, {
        "content-type": "application/json",
      }),
    ];
    const { login_id } = await begun(user_name, device);
    const codes = [guess(), codeIn()] as const;
    refused.push(await verify(service, login_id, codes[0], device));
    const fault = service.runtime.faults.add({
      effect: "error",
      function: "v2/mobile/verify-code",
      operation: "TransactWriteItems",
      skip: 1,
      times: 50,
    });
    refused.push(await verify(service, login_id, codes[1], device));
    fault.remove();
    const done = await verify(service, login_id, codes[1], device);
    const [jwt, token] = [textOf(done, "data.jwt"), textOf(done, "data.token")];
    const session = { Authorization: jwt, Token: token, "User-Id": "1", ...device };
    refused.push(await service.with(session).post("/apiv2/mobile-logout-1"));
    const last = refused.at(-1)?.headers.get("x-request-id") ?? "";
    const lines = () => service.runtime.logs().map(({ text }) => text);
    await expect.poll(() => lines().some((text) => text.includes(last)), { timeout: 5000 }).toBe(true);

    expect(refused.map(({ status }) => status)).toEqual([401, 401, 400, 401, 500, 401]);
    const told = [...lines(), ...refused.map(({ body }) => JSON.stringify(body))].join("\n");
    const secrets = [
      ...[guessed, mistyped, login_id, jwt, ...jwt.split(".").slice(1), token],
      ...[demoPassword, demoTotpSecret],
      ...Object.values(service.runtime.secrets),
    ];
    expect(secrets.filter((secret) => secret.length < 10)).toEqual([]);
    expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
    for (const code of codes) expect(told).not.toMatch(new RegExp(`\\b${code}\\b`));
  });
});
