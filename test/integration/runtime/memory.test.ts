import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { functions } from "../../../functions/index.ts";
import { demoMasterKey, demoPassword, demoStore, demoTotpSecret } from "../../../infra/demo/registry.ts";
import type { Area, EndpointContract } from "../../../shared/contract.ts";
import { type Client, client } from "../../support/client.ts";
import { textOf } from "../../support/mobile.ts";
import { run } from "./process.ts";

const limitMegabytes = 800;

/** The parent of a process, and its resident memory in MB; `undefined` if it is gone. */
const look = (pid: string): { parent: string; megabytes: number } | undefined => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? "0";
    return { parent: field("PPid"), megabytes: Number(field("VmRSS")) / 1024 };
  } catch {
    return undefined;
  }
};

/** The resident memory of a process and all below it, in MB. Pages that two of them share count twice. */
const residentMegabytes = (root: string): number => {
  const all = readdirSync("/proc").flatMap((pid) => (/^\d+$/.test(pid) ? [{ pid, ...look(pid) }] : []));
  const sum = (pid: string): number =>
    all.filter(({ parent }) => parent === pid).reduce((total, child) => total + sum(child.pid), own(pid));
  const own = (pid: string): number => all.find((found) => found.pid === pid)?.megabytes ?? 0;
  return sum(root);
};

const isEndpoint = (contract: { readonly type: string }): contract is EndpointContract =>
  contract.type === "endpoint";
const endpoints = Object.values(functions).filter(isEndpoint);

const store = { AccountID: String(demoStore.account_id), Key: demoStore.key };
const device = { "Device-Id": "memory", App: "Warehouse", "App-Version": "1", "System-Version": "1" };

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

/** Calls an endpoint with credentials that are good, and something to do that need not make sense. */
const call = async (by: Awaited<ReturnType<typeof callers>>, { auth, method, path }: EndpointContract) => {
  if (auth === "sign-in") return [];
  const body = method === "GET" ? undefined : "{}";
  const address = path.replaceAll(/\{\w+\}/g, "1");
  const { status } = await by[auth].send(method, address, body, { "content-type": "application/json" });
  return [{ route: `${method} ${path}`, status }];
};

describe.skipIf(process.platform !== "linux")("memory (skipped where there is no /proc)", () => {
  let started: ReturnType<typeof run>;

  beforeAll(() => {
    started = run("infra/demo/main.ts", "--port", "0", "--assembly", inject("assembly"));
  });

  afterAll(async () => {
    started.child.kill("SIGINT");
    await once(started.child, "exit");
  });

  it("is at most 800 MB, Java included, after every endpoint was called", async () => {
    await expect.poll(() => started.said.stdout, { timeout: 60_000 }).toContain("Ctrl-C ends it.");
    const by = await callers(/http:[\w/.:]+/.exec(started.said.stdout)?.[0] ?? "");
    const isLogout = ({ path }: EndpointContract) => path.includes("logout");

    const answers = [];
    for (const endpoint of endpoints.filter((each) => !isLogout(each)))
      answers.push(...(await call(by, endpoint)));
    for (const endpoint of endpoints.filter(isLogout)) answers.push(...(await call(by, endpoint)));

    expect(answers.filter(({ status }) => status === 401 || status === 403 || status >= 500)).toEqual([]);
    expect(answers.length).toBeGreaterThan(50);
    expect(residentMegabytes(String(started.child.pid))).toBeLessThan(limitMegabytes);
  }, 120_000);
});
