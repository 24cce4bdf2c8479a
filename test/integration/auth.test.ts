import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { functions } from "../../functions/index.ts";
import { putAccount, putMasterKey } from "../../infra/operator/registry.ts";
import { putUser } from "../../infra/operator/users.ts";
import { type Area, routesOf } from "../../shared/contract.ts";
import { type Answer, at, numberAt } from "../support/client.ts";
import { deviceHeaders } from "../support/mobile.ts";
import { type OwnService, startService } from "../support/own-service.ts";
import { customer, orderOf, productOf, recountOf, unique } from "../support/records.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());

type Headers = Readonly<Record<string, string>>;

const oms = "/apirest/v4/oms";
const wms = "/apirest/v4/wms";

const messages = {
  key: "The Key is invalid or does not have access to this API resource",
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

const wrongSession = { Authorization: "wrong", Token: "wrong", "User-Id": "1", ...deviceHeaders() };

/** Wrong credentials and each area's answer to them. Who signs in has none that could be wrong. */
const wrongCredentials: Readonly<Record<Exclude<Area, "sign-in">, readonly [Headers, string]>> = {
  oms: [{ AccountID: "100", Key: "wrong" }, messages.key],
  v2: [{ AccountID: "100", Key: "wrong" }, messages.key],
  wms: [{ userName: "manager", Key: "wrong" }, messages.key],
  mobile: [wrongSession, messages.session],
};

/** A path that an endpoint is at, and whose credentials it asks for. */
const endpoints = Object.values(functions).flatMap((contract) =>
  contract.type === "endpoint" ? routesOf(contract).map((route) => ({ ...route, auth: contract.auth })) : [],
);

/** A path with something in the place of each parameter: what could be meant, though nothing is. */
const filled = (path: string): string => path.replace("{owner_type}", "order").replaceAll(/\{\w+\}/g, "1");

const ping = (area: string, headers: Headers): Promise<Answer> => service.with(headers).post(`${area}/ping`);

const refusal = (message: string) => ({ response: { success: false, message } });

/** A new account's id; its key is what `key` says. */
let lastAccount = 500;
async function newAccount(key: string, more: { readonly activated?: boolean } = {}): Promise<number> {
  const account_id = ++lastAccount;
  await putAccount(service.db, {
    account_id,
    name: "Test Store",
    activated: true,
    key_scope: "write",
    key,
    ...more,
  });
  return account_id;
}

/** Statuses of enough calls at once that several instances of the function answer them. */
async function statusesOf(area: string, headers: Headers): Promise<ReadonlySet<number>> {
  const answers = await Promise.all(Array.from({ length: 12 }, () => ping(area, headers)));
  return new Set(answers.map(({ status }) => status));
}

describe("OMS credentials", () => {
  test.each<[string, Headers, string]>([
    ["no header", {}, messages.accountMissing],
    ["a key alone", { Key: "demo-oms-key-100" }, messages.accountMissing],
    ["an empty AccountID", { AccountID: "", Key: "demo-oms-key-100" }, messages.accountMissing],
    ["an empty AccountID and a wrong key", { AccountID: "", Key: "wrong" }, messages.accountMissing],
    ["WMS credentials", { userName: "manager", Key: "demo-master-key" }, messages.accountMissing],
    ["an unknown AccountID", { AccountID: "999", Key: "demo-oms-key-100" }, messages.accountUnknown],
    ["an unknown AccountID and a wrong key", { AccountID: "999", Key: "wrong" }, messages.accountUnknown],
    ["an unknown AccountID and no key", { AccountID: "999" }, messages.accountUnknown],
    ["an AccountID that is no number", { AccountID: "abc", Key: "wrong" }, messages.accountUnknown],
    [
      "an AccountID with a leading zero",
      { AccountID: "0100", Key: "demo-oms-key-100" },
      messages.accountUnknown,
    ],
    [
      "an AccountID with a fraction",
      { AccountID: "100.0", Key: "demo-oms-key-100" },
      messages.accountUnknown,
    ],
    ["an AccountID with an exponent", { AccountID: "1e2", Key: "demo-oms-key-100" }, messages.accountUnknown],
    ["a hexadecimal AccountID", { AccountID: "0x64", Key: "demo-oms-key-100" }, messages.accountUnknown],
    ["an AccountID with a sign", { AccountID: "+100", Key: "demo-oms-key-100" }, messages.accountUnknown],
    ["a negative AccountID", { AccountID: "-100", Key: "demo-oms-key-100" }, messages.accountUnknown],
    ["two AccountIDs", { AccountID: "100, 100", Key: "demo-oms-key-100" }, messages.accountUnknown],
    ["a huge AccountID", { AccountID: "9".repeat(400), Key: "demo-oms-key-100" }, messages.accountUnknown],
    ["no key", { AccountID: "100" }, messages.key],
    ["an empty key", { AccountID: "100", Key: "" }, messages.key],
    ["a wrong key", { AccountID: "100", Key: "wrong" }, messages.key],
    ["a key in capitals", { AccountID: "100", Key: "DEMO-OMS-KEY-100" }, messages.key],
    ["a key with more at its end", { AccountID: "100", Key: "demo-oms-key-100 ." }, messages.key],
    ["a part of the key", { AccountID: "100", Key: "demo-oms-key-10" }, messages.key],
    ["another account's key", { AccountID: "100", Key: "demo-oms-key-101" }, messages.key],
    ["the master key", { AccountID: "100", Key: "demo-master-key" }, messages.key],
    ["the key in Authorization", { AccountID: "100", Authorization: "demo-oms-key-100" }, messages.key],
    ["a dormant account and a wrong key", { AccountID: "102", Key: "wrong" }, messages.key],
    ["a dormant account and no key", { AccountID: "102" }, messages.key],
    ["a dormant account and its key", { AccountID: "102", Key: "demo-oms-key-102" }, messages.accountDormant],
  ])("%s is 401 with the interface's text", async (_case, headers, message) => {
    const answer = await ping(oms, headers);

    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(refusal(message));
  });

  test.each<[string, Headers]>([
    ["as documented", { AccountID: "100", Key: "demo-oms-key-100" }],
    ["in small letters", { accountid: "100", key: "demo-oms-key-100" }],
    ["in capitals", { ACCOUNTID: "100", KEY: "demo-oms-key-100" }],
  ])("header names hold %s", async (_case, headers) => {
    const answer = await ping(oms, headers);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { status: "success", result: "pong" } });
  });
});

describe("WMS credentials", () => {
  test.each<[string, Headers, string]>([
    ["no header", {}, messages.userMissing],
    ["a key alone", { Key: "demo-master-key" }, messages.userMissing],
    ["an empty userName", { userName: "", Key: "demo-master-key" }, messages.userMissing],
    ["an empty userName and a wrong key", { userName: "", Key: "wrong" }, messages.userMissing],
    ["OMS credentials", { AccountID: "100", Key: "demo-oms-key-100" }, messages.userMissing],
    ["an unknown user", { userName: "nobody", Key: "demo-master-key" }, messages.userUnknown],
    ["an unknown user and a wrong key", { userName: "nobody", Key: "wrong" }, messages.userUnknown],
    ["an unknown user and no key", { userName: "nobody" }, messages.userUnknown],
    ["a user name in other letters", { userName: "Manager", Key: "demo-master-key" }, messages.userUnknown],
    [
      "a user name with more at its end",
      { userName: "manager .", Key: "demo-master-key" },
      messages.userUnknown,
    ],
    ["a very long user name", { userName: "m".repeat(5000), Key: "demo-master-key" }, messages.userUnknown],
    ["a user without permission", { userName: "viewer", Key: "demo-master-key" }, messages.userUnknown],
    ["a user without permission and a wrong key", { userName: "viewer", Key: "wrong" }, messages.userUnknown],
    ["no key", { userName: "manager" }, messages.key],
    ["an empty key", { userName: "manager", Key: "" }, messages.key],
    ["a wrong key", { userName: "manager", Key: "wrong" }, messages.key],
    ["an account's key", { userName: "manager", Key: "demo-oms-key-100" }, messages.key],
    ["the user's password", { userName: "manager", Key: "demo-password" }, messages.key],
    ["a dormant user and a wrong key", { userName: "dormant", Key: "wrong" }, messages.key],
    [
      "a dormant user and the master key",
      { userName: "dormant", Key: "demo-master-key" },
      messages.userDormant,
    ],
  ])("%s is 401 with the interface's text", async (_case, headers, message) => {
    const answer = await ping(wms, headers);

    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(refusal(message));
  });

  test.each<[string, Headers]>([
    ["as documented", { userName: "manager", Key: "demo-master-key" }],
    ["in small letters", { username: "manager", key: "demo-master-key" }],
    ["in capitals", { USERNAME: "manager", KEY: "demo-master-key" }],
  ])("header names hold %s", async (_case, headers) => {
    const answer = await ping(wms, headers);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { status: "success", result: "pong" } });
  });
});

describe("every endpoint", () => {
  test.each(endpoints)(
    "$method $path refuses a request without credentials",
    async ({ method, path, auth }) => {
      const answer = await service.with({}).send(method, filled(path), undefined);

      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(refusal(withoutCredentials[auth]));
    },
  );

  test.each(
    endpoints.flatMap(({ method, path, auth }) => (auth === "sign-in" ? [] : [{ method, path, auth }])),
  )("$method $path refuses wrong credentials before it looks at the body", async ({ method, path, auth }) => {
    const [headers, message] = wrongCredentials[auth];
    const body = method === "GET" ? undefined : "{ not JSON";

    const answer = await service.with(headers).send(method, filled(path), body);

    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(refusal(message));
  });
});

describe("a read-only key", () => {
  const omsEndpoints = endpoints.filter(({ auth }) => auth === "oms");
  const reads = omsEndpoints.filter(({ method }) => method === "GET");
  const writes = omsEndpoints.filter(({ method, path }) => method !== "GET" && !path.endsWith("/ping"));

  test("answers the ping", async () => {
    const answer = await service.omsOf(103).post("/ping");

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.result")).toBe("pong");
  });

  /** What the warehouse has, not an account: everybody finds it under the id 1. */
  const everyones: ReadonlySet<string> = new Set([`${oms}/distribution_centers/{distribution_center_id}`]);

  test.each(reads.map(({ path }) => ({ path })))("may GET $path", async ({ path }) => {
    const answer = await service.omsOf(103).get(filled(path).slice(oms.length));

    // The account has no records, so what names one of an account's finds none.
    expect(answer.status).toBe(path.includes("{") && !everyones.has(path) ? 404 : 200);
  });

  test.each(writes.map(({ method, path }) => ({ method, path })))(
    "may not $method $path: 403 with the Key message",
    async ({ method, path }) => {
      const answer = await service
        .omsOf(103)
        .send(method, filled(path).slice(oms.length), "{}", { "content-type": "application/json" });

      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(refusal(messages.key));
    },
  );

  test("stores nothing of a write that would be valid", async () => {
    const answer = await service.omsOf(103).post("/inventory/products", { data: [productOf()] });
    const listed = await service.omsOf(103).get("/inventory/products");

    expect(answer.status).toBe(403);
    expect(numberAt(listed.body, "metadata.total_records")).toBe(0);
  });
});

describe("a change of credentials holds at once", () => {
  test("a new account key replaces the old one", async () => {
    const [oldKey, newKey] = [unique("old"), unique("new")];
    const account_id = await newAccount(oldKey);
    const headers = (Key: string) => ({ AccountID: String(account_id), Key });
    const before = await statusesOf(oms, headers(oldKey));

    await putAccount(service.db, {
      account_id,
      name: "Test Store",
      activated: true,
      key_scope: "write",
      key: newKey,
    });
    const [withOld, withNew] = [
      await statusesOf(oms, headers(oldKey)),
      await statusesOf(oms, headers(newKey)),
    ];

    expect(before).toEqual(new Set([200]));
    expect(withOld).toEqual(new Set([401]));
    expect(withNew).toEqual(new Set([200]));
  });

  test("a key that becomes read-only writes no more", async () => {
    const key = unique("key");
    const account_id = await newAccount(key);
    const caller = service.with({ AccountID: String(account_id), Key: key });
    const before = await caller.post(`${oms}/inventory/products`, { data: [productOf()] });

    await putAccount(service.db, {
      account_id,
      name: "Test Store",
      activated: true,
      key_scope: "read",
      key,
    });
    const after = await caller.post(`${oms}/inventory/products`, { data: [productOf()] });

    expect(before.status).toBe(200);
    expect(after.status).toBe(403);
  });

  test("a deactivated account is refused, and an activated one answered", async () => {
    const key = unique("key");
    const account_id = await newAccount(key);
    const headers = { AccountID: String(account_id), Key: key };
    const account = { account_id, name: "Test Store", key_scope: "write" as const, key };
    const before = await statusesOf(oms, headers);

    await putAccount(service.db, { ...account, activated: false });
    const deactivated = await statusesOf(oms, headers);
    const answer = await ping(oms, headers);
    await putAccount(service.db, { ...account, activated: true });
    const activated = await statusesOf(oms, headers);

    expect(before).toEqual(new Set([200]));
    expect(deactivated).toEqual(new Set([401]));
    expect(answer.body).toEqual(refusal(messages.accountDormant));
    expect(activated).toEqual(new Set([200]));
  });

  test("a new account is answered", async () => {
    const key = unique("key");
    const unknown = await ping(oms, { AccountID: String(lastAccount + 1), Key: key });

    const account_id = await newAccount(key);
    const known = await ping(oms, { AccountID: String(account_id), Key: key });

    expect(unknown.body).toEqual(refusal(messages.accountUnknown));
    expect(known.status).toBe(200);
  });

  test("a deactivated user is refused, and one without permission too", async () => {
    const user_name = unique("picker");
    const headers = { userName: user_name, Key: "demo-master-key" };
    await putUser(service.db, { user_name, activated: true, wms: true });
    const before = await statusesOf(wms, headers);

    await putUser(service.db, { user_name, activated: false, wms: true });
    const deactivated = await ping(wms, headers);
    await putUser(service.db, { user_name, activated: false, wms: false });
    const withoutPermission = await ping(wms, headers);

    expect(before).toEqual(new Set([200]));
    expect(deactivated.body).toEqual(refusal(messages.userDormant));
    expect(withoutPermission.body).toEqual(refusal(messages.userUnknown));
  });

  test("a new master key replaces the old one", async () => {
    const newKey = unique("master");
    const headers = (Key: string) => ({ userName: "manager", Key });
    const before = await statusesOf(wms, headers("demo-master-key"));

    await putMasterKey(service.db, newKey);
    const withOld = await statusesOf(wms, headers("demo-master-key"));
    const withNew = await statusesOf(wms, headers(newKey));
    await putMasterKey(service.db, "demo-master-key");

    expect(before).toEqual(new Set([200]));
    expect(withOld).toEqual(new Set([401]));
    expect(withNew).toEqual(new Set([200]));
  });
});

describe("the log", () => {
  const lines = () => service.runtime.logs().map(({ text }) => text);

  /** Resolves when the line of this answer's request has been written. */
  async function logged(answer: Answer): Promise<string> {
    const id = answer.headers.get("x-request-id") ?? "no id";
    const line = () => lines().find((text) => text.includes(id) && text.includes('"message":"request"'));
    await expect.poll(line, { timeout: 5000 }).toBeDefined();
    return line() ?? "";
  }

  test("states request id, area, caller, route, status and duration of a request", async () => {
    const answer = await service.oms.get("/orders/999999999?identify_by=order_id");
    const line: unknown = JSON.parse(await logged(answer));

    expect(line).toMatchObject({
      request_id: answer.headers.get("x-request-id"),
      area: "oms",
      actor: "account:100",
      route: "GET /apirest/v4/oms/orders/{order}",
      status: 404,
      duration_ms: expect.any(Number),
    });
  });

  test("names the warehouse user of a request", async () => {
    const answer = await service.wms.post("/ping");
    const line: unknown = JSON.parse(await logged(answer));

    expect(line).toMatchObject({ area: "wms", actor: "user:manager", status: 200 });
  });

  test("names no caller where the credentials do not hold, nor the one before", async () => {
    const answer = await service.with({ AccountID: "100", Key: "wrong" }).get(`${oms}/orders`);
    const line: unknown = JSON.parse(await logged(answer));

    expect(at(line, "actor")).toBeUndefined();
    expect(at(line, "status")).toBe(401);
  });

  test("holds no key and no customer data, whatever becomes of the request", async () => {
    const secret = {
      firstname: "Zaphodine",
      lastname: "Quillfeather",
      email: "zaphodine@quillfeather.example",
      phone: "+1 555 0142 733",
      address1: "42 Marmalade Crescent",
      city: "Wobbleton",
      state: "Nevermore",
      zip: "98765-4321",
      country: "Freedonia",
    };
    const marked = (more: object = {}) => ({ data: [orderOf(undefined, { customer: secret, ...more })] });
    const wrongKey = unique("guessed-key");
    const repeated = marked();

    const answers = [
      await service.oms.post("/orders", repeated),
      await service.oms.post("/orders", repeated),
      await service.oms.post("/orders", marked({ shipping_method: "NOPE" })),
      await service.oms.post("/orders", {
        data: [orderOf([], { customer: { ...customer, ...secret, email: 5 } })],
      }),
      await service.oms.send("POST", "/orders", `${JSON.stringify(repeated)}}`, {
        "content-type": "application/json",
      }),
      await service.oms.get(`/orders/${encodeURIComponent(secret.lastname)}?identify_by=order_number`),
      await service.oms.get(`/orders?filter_by=store_name&filter_value=${secret.lastname}`),
      await service.with({}).get(`/${secret.lastname}?q=${secret.firstname}`),
      await service.with({ AccountID: "100", Key: wrongKey }).post(`${oms}/orders`, repeated),
      await service.with({ userName: "manager", Key: wrongKey }).post(`${wms}/recount`, recountOf("X", [])),
    ];
    const fault = service.runtime.faults.add({
      effect: "error",
      function: "oms/orders/create-orders",
      operation: "TransactWriteItems",
      times: 50,
    });
    answers.push(await service.oms.post("/orders", marked()));
    fault.remove();
    for (const answer of answers) await logged(answer);

    expect(answers.map(({ status }) => status)).toEqual([
      200, 400, 400, 400, 400, 404, 200, 404, 401, 401, 500,
    ]);
    const text = lines().join("\n");
    const secrets = [
      ...Object.values(secret),
      wrongKey,
      "demo-oms-key-100",
      "demo-oms-key-103",
      "demo-master-key",
      "demo-password",
    ];
    for (const word of secrets) expect(text).not.toContain(word);
  });
});
