import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { Secret, TOTP } from "otpauth";
import { demoPassword, demoTotpSecret } from "../../../infra/demo/registry.ts";
import { insertUser } from "../../../infra/operator/set-up/users.ts";
import { credentialsLookup } from "../../../shared/accounts/credential-repository.ts";
import { attempting } from "../../../shared/accounts/sign-in-attempts.ts";
import { hashPassword } from "../../../shared/auth/passwords.ts";
import { Problem } from "../../../shared/common/problem.ts";
import { unique } from "../records/records.ts";
import type { Service } from "../runtime/service.ts";
import { type Answer, at, type Client, numberAt } from "./client.ts";

type Headers = Readonly<Record<string, string>>;

/** What the application says of itself and its device; every device has a name of its own. */
export const deviceHeaders = (id = unique("device")) => ({
  "Device-Id": id,
  App: "Warehouse",
  "App-Version": "1.2.3",
  "System-Version": "Test OS 4",
});

/**
 * The code of a user with the demo secret, `steps` half minutes from now. Ask for those of now and later
 * only: an earlier one may be too old by the time that it arrives.
 */
export const codeIn = (steps = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(demoTotpSecret), timestamp: Date.now() + steps * 30_000 });

/** Hashing takes long on purpose; tests have many users, and a second each for none of them. */
const cheap = { N: 2 ** 10, r: 8, p: 1 };

export const demoCredentials = async () => ({
  password: await hashPassword(demoPassword, cheap),
  totp_secret: demoTotpSecret,
});

/** A new user with the demo password and secret, whose codes nobody else uses up. */
export async function newUser(
  { db }: Pick<Service, "db">,
  more: { readonly activated?: boolean; readonly wms?: boolean } = {},
): Promise<string> {
  const user_name = unique("picker");
  await insertUser(db, { user_name, activated: true, wms: true, ...more }, await demoCredentials());
  return user_name;
}

/** Lets a user's code of this half minute be used again. */
export async function forgetCodes({ db }: Pick<Service, "db">, userName: string): Promise<void> {
  const { table, key } = credentialsLookup(userName);
  await db.client.send(
    new UpdateCommand({
      TableName: db.tableName(table),
      Key: key,
      UpdateExpression: "SET totp_step = :none",
      ExpressionAttributeValues: { ":none": 0 },
    }),
  );
}

export const login = (
  service: Pick<Service, "with">,
  username: string,
  { password = demoPassword, device = deviceHeaders() }: { password?: string; device?: Headers } = {},
): Promise<Answer> => service.with(device).post("/apiv2/mobile-login-1", { username, password });

/**
 * Has a user name use up attempts from a source, as wrong passwords do, without a password that takes its
 * time to check.
 */
export async function failedBefore(
  { db }: Pick<Service, "db">,
  user_name: string,
  count: number,
  source = "127.0.0.1",
): Promise<void> {
  const wrong = new Problem("unauthorized", "wrong");
  const attempt = () => attempting(db, { user_name, source }, () => Promise.reject(wrong));
  for (let failed = 0; failed < count; failed += 1)
    await attempt().catch((error: unknown) => {
      if (error !== wrong) throw error;
    });
}

export const verify = (
  service: Pick<Service, "with">,
  login_id: string,
  code: string,
  device: Headers,
): Promise<Answer> => service.with(device).post("/apiv2/mobile-verify-code-1", { login_id, code });

/** The text at a path of an answer that has to be a success. */
export function textOf(answer: Answer, path: string): string {
  const found = at(answer.body, path);
  if (typeof found !== "string") throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return found;
}

/** The mobile and Pro endpoints, below `/apiv2`, as a warehouse user who signed in. */
export interface MobileClient extends Client {
  readonly user_name: string;
  /** The seven headers of every call. */
  readonly headers: Headers;
}

/** Signs a user in that has the demo password and secret. @returns the seven headers of every call */
export async function signedIn(service: Pick<Service, "with">, userName: string): Promise<Headers> {
  const device = deviceHeaders();
  const begun = await login(service, userName, { device });
  const done = await verify(service, textOf(begun, "data.login_id"), codeIn(), device);
  return {
    Authorization: textOf(done, "data.jwt"),
    Token: textOf(done, "data.token"),
    "User-Id": String(numberAt(done.body, "data.user_id")),
    ...device,
  };
}

/**
 * Signs a user in, by default a new one. A user who is named must have the demo credentials, as `manager`
 * does.
 */
export async function signIn(service: Service, userName?: string): Promise<MobileClient> {
  const user_name = userName ?? (await newUser(service));
  if (userName !== undefined) await forgetCodes(service, userName);
  const headers = await signedIn(service, user_name);
  return { ...service.client("/apiv2", headers), user_name, headers };
}
