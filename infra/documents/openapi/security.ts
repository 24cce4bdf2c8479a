/** The credentials of each area, as OpenAPI security schemes (docs/decisions.md, Credentials). */
import type { Area } from "../../../shared/lambda/contract.ts";

export type Requirement = Readonly<Record<string, readonly string[]>>;

const header = (name: string, description: string) =>
  ({ type: "apiKey", in: "header", name, description }) as const;

const device = {
  DeviceId: header("Device-Id", "Id of the device."),
  App: header("App", "Name of the application."),
  AppVersion: header("App-Version", "Version of the application."),
  SystemVersion: header("System-Version", "Version of the device's system."),
} as const;

/** All schemes, by the names that the requirements use. */
export const schemes = {
  AccountID: header("AccountID", "Id of the account."),
  Key: header("Key", "Key of the account; in the WMS the warehouse's master key."),
  Authorization: header("Authorization", "Key of the account. It wins over `Key`."),
  userName: header("userName", "Name of the warehouse user."),
  ...device,
  Session: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `jwt` that the sign-in answered.",
  },
  Token: header("Token", "The `token` that the sign-in answered."),
  UserId: header("User-Id", "The `user_id` that the sign-in answered."),
} as const;

/** The header that holds a credential. */
export const headerOf = (scheme: string): string =>
  Object.entries(schemes)
    .flatMap(([name, stated]) => (name === scheme && "name" in stated ? stated.name : []))
    .at(0) ?? "Authorization";

const all = (...names: readonly (keyof typeof schemes)[]): Requirement =>
  Object.fromEntries(names.map((name) => [name, []]));

const deviceHeaders = ["DeviceId", "App", "AppVersion", "SystemVersion"] as const;

/** The sets of credentials that a call takes; one of them is enough. */
export const requirements: Readonly<Record<Area, readonly Requirement[]>> = {
  oms: [all("AccountID", "Key")],
  wms: [all("userName", "Key")],
  v2: [all("AccountID", "Authorization"), all("AccountID", "Key")],
  "sign-in": [all(...deviceHeaders)],
  mobile: [all("Session", "Token", "UserId", ...deviceHeaders)],
};

/** An example of a rejection in each area. */
export const rejections: Readonly<Record<Area, string>> = {
  oms: "Header value invalid; AccountID is missing or empty",
  wms: "Header value invalid; UserName is missing or empty",
  v2: "Header value invalid; AccountID is missing or empty",
  "sign-in": "Header value invalid; Device-Id is missing or empty",
  mobile: "Header value invalid; Authorization is missing or empty",
};
