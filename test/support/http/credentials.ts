/** Credentials that do not hold, and what each area answers to them. */

import { expect } from "vitest";
import { functions } from "../../../functions/index.ts";
import { type Area, routesOf } from "../../../shared/runtime/contract.ts";
import type { Service } from "../runtime/service.ts";
import type { Answer } from "./client.ts";
import { deviceHeaders } from "./mobile.ts";

type Headers = Readonly<Record<string, string>>;

export const messages = {
  key: "The Key is invalid or does not have access to this API resource",
  readOnly: { path: "Key", message: "is read-only; a call that writes needs a key that may write" },
  accountMissing: "Header value invalid; AccountID is missing or empty",
  accountUnknown: "Header value invalid; AccountID does not exist",
  accountDormant: "Header value invalid; AccountID is not activated",
  userMissing: "Header value invalid; UserName is missing or empty",
  userUnknown: "Header value invalid; user does not exist or has no permissions",
  userDormant: "Header value invalid; user is not activated",
  authorizationMissing: "Header value invalid; Authorization is missing or empty",
  deviceMissing: "Header value invalid; Device-Id is missing or empty",
  session: "The session is not valid or has ended; sign in again",
} as const;

/** What each area answers to a request without any credentials. */
const withoutCredentials: Readonly<Record<Area, string>> = {
  oms: messages.accountMissing,
  v2: messages.accountMissing,
  wms: messages.userMissing,
  mobile: messages.authorizationMissing,
  "sign-in": messages.deviceMissing,
};

export const rejection = (message: string, ...errors: readonly { path: string; message: string }[]) => ({
  response: { success: false, message, ...(errors.length === 0 ? {} : { errors }) },
});

const wrongSession = { Authorization: "wrong", Token: "wrong", "User-Id": "1", ...deviceHeaders() };

/**
 * Wrong credentials of an account or a user that there is, and each area's answer. Who signs in has none to
 * be wrong.
 */
const wrongCredentials = (
  accountId: number,
): Readonly<Record<Exclude<Area, "sign-in">, readonly [Headers, string]>> => {
  const account = { AccountID: String(accountId), Key: "wrong" };
  return {
    oms: [account, messages.key],
    v2: [account, messages.key],
    wms: [{ userName: "manager", Key: "wrong" }, messages.key],
    mobile: [wrongSession, messages.session],
  };
};

/** A path that an endpoint is at, and whose credentials it asks for. */
export interface EndpointPath {
  readonly method: string;
  readonly path: string;
  readonly auth: Area;
}

export const endpoints: readonly EndpointPath[] = Object.values(functions).flatMap((contract) =>
  contract.type === "endpoint" ? routesOf(contract).map((route) => ({ ...route, auth: contract.auth })) : [],
);

/** Calls of these endpoints may concern every account, so no file makes them that shares its service. */
export const concernsEveryone = ({ path }: EndpointPath): boolean =>
  path.endsWith("/pp-getOrders-1") || path.endsWith("/qc-shippings-1");

/** A path with something in the place of each parameter: what could be meant, though nothing is. */
export const filled = (path: string): string =>
  path.replace("{owner_type}", "order").replaceAll(/\{\w+\}/g, "1");

function expectRefused({ status, body }: Answer, message: string): void {
  expect(status).toBe(401);
  expect(body).toEqual(rejection(message));
}

/** Asserts that an endpoint refuses a request that has no credentials. */
export async function expectRefusedWithout(service: Service, endpoint: EndpointPath): Promise<void> {
  const { method, path, auth } = endpoint;

  const answer = await service.with({}).send(method, filled(path), undefined);

  expectRefused(answer, withoutCredentials[auth]);
}

/** Asserts that an endpoint refuses wrong credentials, if it asks for any, before it looks at the body. */
export async function expectRefusedWhereWrong(service: Service, endpoint: EndpointPath): Promise<void> {
  const { method, path, auth } = endpoint;
  if (auth === "sign-in") throw new Error(`${path} is where credentials are asked for`);
  const [headers, message] = wrongCredentials(service.accountId)[auth];
  const body = method === "GET" ? undefined : "{ not JSON";

  const answer = await service.with(headers).send(method, filled(path), body);

  expectRefused(answer, message);
}
