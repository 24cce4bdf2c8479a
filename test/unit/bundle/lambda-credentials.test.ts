import { afterEach, expect, test, vi } from "vitest";
import { defaultProvider } from "../../../infra/bundle/lambda-credentials.ts";

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["a role's, with the token of its session", "token", { sessionToken: "token" }],
  ["others, which have no token", undefined, {}],
])("a function's credentials are those of its environment: %s", async (_case, token, more) => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("AWS_SESSION_TOKEN", token);

  const credentials = await defaultProvider()();

  expect(credentials).toEqual({ accessKeyId: "id", secretAccessKey: "secret", ...more });
});
