/** Calls of endpoints of every kind, on a service that someone has started with the demo data. */
import { demoMasterKey, demoStore } from "../../../infra/demo/registry.ts";
import type { Area } from "../../../shared/runtime/contract.ts";
import { type Client, client } from "./client.ts";
import { type EndpointPath, endpoints, filled } from "./credentials.ts";
import { signedIn } from "./mobile.ts";

const store = { AccountID: String(demoStore.account_id), Key: demoStore.key };

type Callers = Readonly<Record<Exclude<Area, "sign-in">, Client>>;

/** Clients of each area, the last of them signed in. */
const callers = async (url: string): Promise<Callers> => ({
  oms: client(url, store),
  v2: client(url, store),
  wms: client(url, { userName: "manager", Key: demoMasterKey }),
  mobile: client(url, await signedIn({ with: (headers) => client(url, headers) }, "manager")),
});

/** A call, and how it was answered. */
interface Called {
  readonly route: string;
  readonly status: number;
}

/** Every sixth endpoint: some of each area, but none that ends the session. */
const sample = endpoints
  .filter((_, position) => position % 6 === 0)
  .filter(({ path }) => !path.includes("logout"));

/** Calls an endpoint with credentials that are good, and something to do that need not make sense. */
async function call(by: Callers, { auth, method, path }: EndpointPath): Promise<readonly Called[]> {
  if (auth === "sign-in") return [];
  const body = method === "GET" ? undefined : "{}";
  const { status } = await by[auth].send(method, filled(path), body, { "content-type": "application/json" });
  return [{ route: `${method} ${path}`, status }];
}

/** Calls every sixth endpoint once, one after another. */
export async function callSample(url: string): Promise<readonly Called[]> {
  const by = await callers(url);
  const called: Called[] = [];
  for (const endpoint of sample) called.push(...(await call(by, endpoint)));
  return called;
}
