import { describe, expect, test } from "vitest";
import { demoPassword } from "../../../../infra/demo/registry.ts";
import { numberAt } from "../../../support/http/client.ts";
import { deviceHeaders, failedBefore, newUser } from "../../../support/http/mobile.ts";
import { unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService();

/** A sign-in that comes from an address of one's choice, as API Gateway hands it to the function. */
async function loginFrom(source: string, username: string, password = demoPassword): Promise<number> {
  const path = "/apiv2/mobile-login-1";
  const http = { method: "POST", path, sourceIp: source };
  const answer = await service.runtime.invoke("v2/mobile/login", {
    version: "2.0",
    routeKey: `POST ${path}`,
    rawPath: path,
    rawQueryString: "",
    headers: Object.fromEntries(
      Object.entries(deviceHeaders()).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    requestContext: { http, requestId: unique("request") },
    body: JSON.stringify({ username, password }),
    isBase64Encoded: false,
  });
  return numberAt(answer, "statusCode");
}

/** The messages of the log that warn of this user name. */
const warningsOf = (user_name: string): readonly string[] =>
  service.runtime
    .logs()
    .map(({ text }) => text)
    .filter((line) => line.includes(`"user_name":"${user_name}"`) && line.includes('"level":"WARN"'));

describe("failures from one source", () => {
  const failFrom = async (source: string, user_name: string, count = 5): Promise<readonly number[]> => {
    const answers: number[] = [];
    for (let attempt = 1; attempt <= count; attempt += 1)
      answers.push(await loginFrom(source, user_name, "wrong"));
    return answers;
  };

  test("slow down that source, and no one who signs in from elsewhere", async () => {
    const user_name = await newUser(service);

    const failed = await failFrom("192.0.2.1", user_name, 6);
    const answers = [
      await loginFrom("192.0.2.1", user_name),
      await loginFrom("192.0.2.2", user_name),
      await loginFrom("2001:db8::1", user_name),
    ];

    expect(failed).toEqual([401, 401, 401, 401, 401, 429]);
    expect(answers).toEqual([429, 200, 200]);
  });

  test("count for a whole network of IPv6, since one subscriber has all of it", async () => {
    const user_name = await newUser(service);
    for (const host of "1234") await failedBefore(service, user_name, 1, `2001:db8:1:2::${host}`);
    await loginFrom("2001:db8:1:2::5", user_name, "wrong");

    const answers = [
      await loginFrom("2001:db8:1:2:ffff::1", user_name),
      await loginFrom("2001:db8:1:3::1", user_name),
    ];

    expect(answers).toEqual([429, 200]);
  });

  test("lock the name for all sources once 25 of it have failed, however many sources they came from", async () => {
    const user_name = await newUser(service);
    for (const host of "1234") await failedBefore(service, user_name, 5, `192.0.2.${host}`);
    await failFrom("192.0.2.5", user_name);

    const answer = await loginFrom("198.51.100.1", user_name);

    expect(answer).toBe(429);
  });

  test("are logged with the user's name, once for each source and once for all", async () => {
    const user_name = await newUser(service);
    for (const host of "12345") {
      await failedBefore(service, user_name, 4, `192.0.2.${host}`);
      await failFrom(`192.0.2.${host}`, user_name, 2);
    }

    const warnings = warningsOf(user_name);

    expect(warnings.filter((line) => line.includes("from one source"))).toHaveLength(5);
    expect(warnings.filter((line) => line.includes("from many sources"))).toHaveLength(1);
  });

  test("are not logged with a name that no user has, since it may be a password", async () => {
    const name = unique("secret");

    await failedBefore(service, name, 4, "192.0.2.1");
    await failFrom("192.0.2.1", name, 2);

    expect(service.runtime.logs().filter(({ text }) => text.includes(name))).toEqual([]);
  });
});
