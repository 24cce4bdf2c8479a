/** The credentials of each area, as OpenAPI security schemes (docs/decisions.md, Credentials). */
import type { Area } from "../../../shared/runtime/contract.ts";

export type Requirement = Readonly<Record<string, readonly string[]>>;

const header = (name: string, description: string) =>
  ({ type: "apiKey", in: "header", name, description }) as const;

interface Bearer {
  readonly type: "http";
  readonly scheme: "bearer";
  readonly bearerFormat: string;
  readonly description: string;
}

/** All schemes, by the names that the requirements use. */
export const schemes: Readonly<Record<string, ReturnType<typeof header> | Bearer>> = {
  AccountID: header("AccountID", "Id of the account."),
  Key: header("Key", "Key of the account; in the WMS the warehouse's master key."),
  Authorization: header("Authorization", "Key of the account. It wins over `Key`."),
  userName: header("userName", "Name of the warehouse user."),
  DeviceId: header("Device-Id", "Id of the device."),
  App: header("App", "Name of the application."),
  AppVersion: header("App-Version", "Version of the application."),
  SystemVersion: header("System-Version", "Version of the device's system."),
  Session: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `jwt` that the sign-in returned.",
  },
  Token: header("Token", "The `token` that the sign-in returned."),
  UserId: header("User-Id", "The `user_id` that the sign-in returned."),
};

/** The header that holds a credential: for a bearer's token, the standard one. */
export function headerOf(scheme: string): string {
  const stated = schemes[scheme];
  return stated?.type === "apiKey" ? stated.name : "Authorization";
}

const all = (...names: readonly string[]): Requirement => Object.fromEntries(names.map((name) => [name, []]));

const deviceHeaders = ["DeviceId", "App", "AppVersion", "SystemVersion"] as const;

/** The sets of credentials that a call takes; one of them is enough. */
export const requirements: Readonly<Record<Area, readonly Requirement[]>> = {
  oms: [all("AccountID", "Key")],
  wms: [all("userName", "Key")],
  v2: [all("AccountID", "Authorization"), all("AccountID", "Key")],
  "sign-in": [all(...deviceHeaders)],
  mobile: [all("Session", "Token", "UserId", ...deviceHeaders)],
};

/** The headers of a call's credentials, as samples and test requests send them. */
export const headersOf = (security: readonly Requirement[]): readonly string[] =>
  Object.keys(security.find((one) => "Key" in one) ?? security[0] ?? {}).map(headerOf);

/** Whose credentials calls take, each with all of its headers. */
export const owners = {
  account: { title: "Account", headers: headersOf(requirements.oms) },
  warehouse: { title: "Warehouse", headers: headersOf(requirements.wms) },
  mobile: { title: "Mobile application", headers: headersOf(requirements.mobile) },
} as const;

/** An example of a rejection in each area. */
export const rejections: Readonly<Record<Area, string>> = {
  oms: "Header value invalid; AccountID is missing or empty",
  wms: "Header value invalid; UserName is missing or empty",
  v2: "Header value invalid; AccountID is missing or empty",
  "sign-in": "Header value invalid; Device-Id is missing or empty",
  mobile: "Header value invalid; Authorization is missing or empty",
};
