/** Calls of every endpoint, on a service that someone has started with the demo data. */
import { Secret, TOTP } from "otpauth";
import { functions } from "../../functions/index.ts";
import { demoMasterKey, demoPassword, demoStore, demoTotpSecret } from "../../infra/demo/registry.ts";
import type { Area, EndpointContract } from "../../shared/contract.ts";
import { type Client, client } from "./client.ts";
import { textOf } from "./mobile.ts";

const isEndpoint = (contract: { readonly type: string }): contract is EndpointContract =>
  contract.type === "endpoint";
const endpoints = Object.values(functions).filter(isEndpoint);

const store = { AccountID: String(demoStore.account_id), Key: demoStore.key };
const device = { "Device-Id": "every", App: "Warehouse", "App-Version": "1", "System-Version": "1" };

/** Signs in as a picker would, which calls both endpoints of that area. */
const signIn = async (url: string): Promise<Readonly<Record<string, string>>> => {
  const caller = client(url, device);
  const credentials = { username: "manager", password: demoPassword };
  const login_id = textOf(await caller.post("/apiv2/mobile-login-1", credentials), "data.login_id");
  const code = TOTP.generate({ secret: Secret.fromBase32(demoTotpSecret) });
  const session = await caller.post("/apiv2/mobile-verify-code-1", { login_id, code });
  const [jwt, token] = ["data.jwt", "data.token"].map((path) => textOf(session, path));
  return { ...device, Authorization: `${jwt}`, Token: `${token}`, "User-Id": "1" };
};

const callers = async (url: string): Promise<Readonly<Record<Exclude<Area, "sign-in">, Client>>> => ({
  oms: client(url, store),
  v2: client(url, store),
  wms: client(url, { userName: "manager", Key: demoMasterKey }),
  mobile: client(url, await signIn(url)),
});

/** A call, and how it was answered. */
interface Called {
  readonly route: string;
  readonly status: number;
}

/** Calls an endpoint with credentials that are good, and something to do that need not make sense. */
async function call(
  by: Awaited<ReturnType<typeof callers>>,
  { auth, method, path }: EndpointContract,
): Promise<readonly Called[]> {
  if (auth === "sign-in") return [];
  const body = method === "GET" ? undefined : "{}";
  const address = path.replaceAll(/\{\w+\}/g, "1");
  const { status } = await by[auth].send(method, address, body, { "content-type": "application/json" });
  return [{ route: `${method} ${path}`, status }];
}

/** Calls every endpoint once. Those that sign in come first, and those that sign out last. */
export async function callEveryEndpoint(url: string): Promise<readonly Called[]> {
  const by = await callers(url);
  const isLogout = ({ path }: EndpointContract) => path.includes("logout");
  const called: Called[] = [];
  for (const endpoint of endpoints.filter((each) => !isLogout(each)))
    called.push(...(await call(by, endpoint)));
  for (const endpoint of endpoints.filter(isLogout)) called.push(...(await call(by, endpoint)));
  return called;
}
