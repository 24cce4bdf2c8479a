import { execFile } from "node:child_process";
import { join } from "node:path";
import { URI } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operate } from "../../../infra/operator/commands.ts";
import { at, listAt, numberAt } from "../../support/client.ts";
import { expectBalanced } from "../../support/ledger.ts";
import { deviceHeaders, login, textOf, verify } from "../../support/mobile.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { orderOf, productOf, recountOf } from "../../support/records.ts";
import { claimed, pendingOrder, picked, pickFrom } from "../../support/world.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());

type Tables = Readonly<Record<string, string>>;

/** Runs a command on the tables of the local runtime. */
const operator = (...words: readonly string[]) => operatorWith(service.runtime.dynamodb.tables, ...words);

/** Runs a command of an operator whose shell names these tables. */
async function operatorWith(tables: Tables, ...words: readonly string[]) {
  let stdout = "";
  const print = (line: string) => {
    stdout += `${line}\n`;
  };
  const ending = await operate(words, tables, () => service.db, print);
  const stderr = "failure" in ending ? `${ending.failure}\n` : "";
  return { status: ending.status, stdout, stderr, key: keyIn(stdout) };
}

const keyIn = (stdout: string): string => /^Key (\S{43})$/m.exec(stdout)?.[1] ?? "";

const main = join(import.meta.dirname, "..", "..", "..", "infra", "operator", "main.ts");

/** Runs a command as an operator does, in a process of its own. */
function asProcess(tables: Tables, ...words: readonly string[]) {
  const env = {
    PATH: process.env["PATH"],
    AWS_ACCESS_KEY_ID: "operator",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_REGION: "us-east-1",
    AWS_ENDPOINT_URL_DYNAMODB: service.runtime.dynamodb.endpoint,
    ...tables,
  };
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [main, ...words], { env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

describe("a command from the shell", () => {
  test("works on the tables that the shell names, prints what is to be known, and ends well", async () => {
    const { status, stdout, stderr } = await asProcess(
      service.runtime.dynamodb.tables,
      "account",
      "510",
      "Shell",
    );
    const credentials = { AccountID: "510", Key: keyIn(stdout) };

    const ping = await service.with(credentials).post("/apirest/v4/oms/ping");

    expect([status, stderr, ping.status]).toEqual([0, "", 200]);
  });

  test.each<[string, () => Tables, readonly string[], string]>([
    ["what makes no sense", () => service.runtime.dynamodb.tables, ["account", "5"], "NAME is missing\n"],
    [
      "tables that are not named",
      () => ({}),
      ["account", "5", "Name"],
      "TABLE_IDENTITY must name the table;",
    ],
  ])(
    "refuses %s with the reason alone, and ends with the status 1",
    async (_case, tables, words, message) => {
      const { status, stdout, stderr } = await asProcess(tables(), ...words);

      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr.startsWith(message)).toBe(true);
    },
  );
});

describe("the operator's commands", () => {
  test("set up an account that can order and be counted, from nothing", async () => {
    const { key } = await operator("account", "500", "New Store");
    await operator("shipping-method", "500", "AIR");
    await operator("store", "500", "9", "New Web Store");
    await operator("distribution-center", "7", "NORTH", "Northern Warehouse");
    await operator("bin", "70", "N1", "01", "7", "NORTH");
    const credentials = { AccountID: "500", Key: key };
    const oms = service.with(credentials);
    const product = productOf({ distribution_center: "NORTH" });
    const created = await oms.post("/apirest/v4/oms/inventory/products", { data: [product] });
    const order = orderOf([{ sku: product.sku, quantity: 1 }], { shipping_method: "AIR", cart: { id: 9 } });
    const ordered = await oms.post("/apirest/v4/oms/orders", { data: [order] });
    const entries = recountOf(product.sku, [{ location: "N1", bin: "01", qty: 5 }], { account_id: 500 });
    const counted = await service.wms.post("/recount", entries);

    expect([created.status, ordered.status, counted.status]).toEqual([200, 200, 200]);
  });

  test("rotate keys at once", async () => {
    const { key: first } = await operator("account", "501", "Rotating Store");
    const { key: second } = await operator("account", "501", "Rotating Store");
    const ping = (Key: string) => service.with({ AccountID: "501", Key }).post("/apirest/v4/oms/ping");

    expect(first).not.toBe(second);
    expect([(await ping(first)).status, (await ping(second)).status]).toEqual([401, 200]);
  });

  /** What `user` prints, as a user's phone and memory keep it. */
  async function userOf(name: string) {
    const { stdout } = await operator("user", name);
    const [, id = ""] = /^User-Id (\d+)$/m.exec(stdout) ?? [];
    const [, password = ""] = /^Password (\S{20})$/m.exec(stdout) ?? [];
    const authenticator = URI.parse(/^otpauth:\S+$/m.exec(stdout)?.[0] ?? "");
    return { id, password, code: () => authenticator.generate() };
  }

  /** Signs in with what `user` printed; the headers of the session, or undefined where it was refused. */
  async function session(name: string, { password, code }: Awaited<ReturnType<typeof userOf>>) {
    const device = deviceHeaders();
    const begun = await login(service, name, { password, device });
    if (begun.status !== 200) return undefined;
    const done = await verify(service, textOf(begun, "data.login_id"), code(), device);
    const id = String(numberAt(done.body, "data.user_id"));
    const credentials = { Authorization: textOf(done, "data.jwt"), Token: textOf(done, "data.token") };
    return { id, headers: { ...credentials, "User-Id": id, ...device } };
  }

  const logout = async (headers: Readonly<Record<string, string>> = {}): Promise<number> =>
    (await service.with(headers).post("/apiv2/mobile-logout-1")).status;

  test("limit an account's requests, and take the limit away", async () => {
    const { key } = await operator("account", "500", "Busy Store");
    const ping = () => service.with({ AccountID: "500", Key: key }).post("/apirest/v4/oms/ping");

    const set = await operator("limit-requests", "500", "1", "1");
    const answers = await Promise.all(Array.from({ length: 10 }, ping));
    const off = await operator("limit-requests", "500", "off");
    const after = await ping();
    const unknown = await operator("limit-requests", "999", "1", "1");

    expect(set.stdout).toBe("Account 500 may send 1 requests a second, and 1 at once.\n");
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(off.stdout).toBe("Account 500 may send as many requests as it likes.\n");
    expect([after.status, after.headers.get("ratelimit")]).toEqual([200, null]);
    expect([unknown.status, unknown.stderr]).toEqual([1, "There is no account 999\n"]);
  });

  test("give a user what the mobile application asks for, anew each time, and end what was signed in", async () => {
    const first = await userOf("nora");
    const begun = await session("nora", first);
    const second = await userOf("nora");
    const withOld = await session("nora", first);
    const withNew = await session("nora", second);

    expect(begun?.id).toBe(first.id);
    expect(second.id).toBe(first.id);
    expect(second.password).not.toBe(first.password);
    expect(withOld).toBeUndefined();
    expect(await logout(begun?.headers)).toBe(401);
    expect(await logout(withNew?.headers)).toBe(200);
  });

  test("give every user an id of its own", async () => {
    const users = [await userOf("ida"), await userOf("ian")];

    const ids = users.map(({ id }) => Number(id));

    // The demo's users have 1, 2 and 3.
    for (const id of ids) expect(id).toBeGreaterThan(3);
    expect(new Set(ids).size).toBe(2);
  });

  test("revoke a user's sessions, and leave the credentials as they are", async () => {
    const credentials = await userOf("rita");
    const begun = await session("rita", credentials);

    const { status, stdout } = await operator("revoke-sessions", "rita");
    const again = await login(service, "rita", { password: credentials.password });

    expect([status, stdout]).toEqual([0, "Done.\n"]);
    expect(await logout(begun?.headers)).toBe(401);
    expect(again.status).toBe(200);
  });

  test("deactivate a user, whose password is void then", async () => {
    const credentials = await userOf("dora");
    const begun = await session("dora", credentials);

    await operator("deactivated-user", "dora");
    const again = await session("dora", credentials);

    expect(await logout(begun?.headers)).toBe(401);
    expect(again).toBeUndefined();
  });

  test.each([
    [["revoke-sessions", "nobody"], "There is no user nobody"],
    [["user", "x".repeat(101)], "NAME must have at most 100 characters"],
    [["account", "x", "Name"], "ID must be a whole number of at least 1"],
    [["account", "5"], "NAME is missing"],
    [["bin", "1", "A#1", "01", "1", "MAIN"], "LOCATION must be 1 to 50 letters and digits"],
    [["nonsense"], "Sets up accounts"],
    [["toString"], "Sets up accounts"],
    [["release-order", "999999999"], "There is no order with order_id 999999999"],
    [["ship-order", "999999999"], "There is no order with order_id 999999999"],
    [["rebuild-list", "nonsense"], "NAME must be one of order, product, stock"],
    [["manufacture-order", "101", "M", "DEMO-TEE", "1"], "Account 101 has no product with the SKU DEMO-TEE"],
  ])("refuse what makes no sense: %j", async (values, message) => {
    const { status, stderr, stdout } = await operator(...values);

    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr.startsWith(message)).toBe(true);
  });

  test.each([
    [["account", "5", "Name"], [], "TABLE_IDENTITY must name the table;"],
    [
      ["manufacture-order", "100", "M", "DEMO-TEE", "1"],
      ["TABLE_IDENTITY"],
      "TABLE_INVENTORY and TABLE_TALLIES must name the tables;",
    ],
    [
      ["release-order", "1000"],
      ["TABLE_ORDERS"],
      "TABLE_INVENTORY, TABLE_TALLIES, TABLE_DIRECTORY and TABLE_JOBS must name the tables;",
    ],
    [
      ["ship-order", "1000"],
      ["TABLE_ORDERS", "TABLE_TALLIES", "TABLE_DIRECTORY", "TABLE_JOBS"],
      "TABLE_INVENTORY must name the table;",
    ],
  ])("say which tables they need: %j", async (values, named, message) => {
    const tables = Object.entries(service.runtime.dynamodb.tables).filter(([name]) => named.includes(name));

    const { status, stderr } = await operatorWith(Object.fromEntries(tables), ...values);

    expect(status).toBe(1);
    expect(stderr.startsWith(message)).toBe(true);
  });
});

describe("an operator", () => {
  const tee = async () => at((await service.oms.get("/inventory/stock?sku=DEMO-TEE")).body, "data.0");
  const orderTee = () => pendingOrder(service, [{ sku: "DEMO-TEE", quantity: 2 }]);

  test("releases an order and, once it is picked, ships it with its tracking number", async () => {
    const before = await tee();
    const orderId = await orderTee();
    const id = String(orderId);

    const released = await operator("release-order", id);
    const early = await operator("ship-order", id);
    await claimed(service, orderId);
    await picked(service, orderId, pickFrom("DEMO-TEE", 2, "A1/01"));
    const shipped = await operator("ship-order", id, "1Z 999", "Parcel Post");
    const answer = await service.oms.get(`/orders/${id}`);

    expect(released).toMatchObject({ status: 0, stdout: `Order ${id} is Processing.\n`, stderr: "" });
    expect(early).toMatchObject({ status: 1, stdout: "" });
    expect(early.stderr).toBe(`Order ${id} is not picked completely; it can't be shipped\n`);
    expect(shipped).toMatchObject({ status: 0, stdout: `Order ${id} is Shipped.\n` });
    expect(at(answer.body, "data")).toMatchObject({
      status: "Shipped",
      tracking_number: "1Z 999",
      carrier: "Parcel Post",
    });
    expect(listAt(answer.body, "data.history").map((entry) => at(entry, "by"))).toEqual([
      "account:100",
      "operator",
      "user:manager",
      "user:manager",
      "operator",
    ]);
    expect(await tee()).toMatchObject({
      on_hand: numberAt(before, "on_hand") - 2,
      reserved: numberAt(before, "reserved"),
    });
    await expectBalanced(service, "DEMO-TEE");
  });

  test("releases an order once, and one that is Pending only", async () => {
    const id = String(await orderTee());
    await operator("release-order", id);
    const released = await service.oms.get(`/orders/${id}`);

    const again = await operator("release-order", id);
    const answer = await service.oms.get(`/orders/${id}`);

    expect([again.status, again.stdout]).toEqual([1, ""]);
    expect(again.stderr).toContain(`Order ${id} is Processing; only a Pending order can be`);
    expect(answer.body).toEqual(released.body);
  });

  test("ships a Processing order only", async () => {
    const { body } = await service.oms.get("/orders/DEMO-3?identify_by=order_number");
    const pending = String(await orderTee());

    const refused = [
      await operator("ship-order", pending),
      await operator("ship-order", String(at(body, "data.order_id"))),
    ];

    expect(refused.map(({ status }) => status)).toEqual([1, 1]);
    expect(
      refused.map(({ stderr }) => /is (\w+); only a Processing order can be shipped/.exec(stderr)?.[1]),
    ).toEqual(["Pending", "Shipped"]);
  });

  test("rebuilds a list, and is told of each of its blocks", async () => {
    const before = await service.oms.get("/inventory/aliases");

    const { status, stdout, stderr } = await operator("rebuild-list", "alias");
    const after = await service.oms.get("/inventory/aliases");

    const lines = stdout.trimEnd().split("\n");
    expect([status, stderr]).toEqual([0, ""]);
    expect(lines.at(-1)).toBe(`Blocks ${lines.length - 1}, records moved 0, tallies corrected 0.`);
    expect(lines.slice(0, -1)).toContainEqual(
      expect.stringMatching(/^block \d+ of 100: 0 records moved, tally right$/),
    );
    expect(after.body).toEqual(before.body);
    expect(numberAt(after.body, "metadata.total_records")).toBeGreaterThan(0);
  });

  test("sets up a manufacture order, and overwrites it under its number", async () => {
    const command = ["manufacture-order", "100", "MO-77", "DEMO-TEE"] as const;
    const first = await operator(...command, "40", "Processing", "2026-03-31");
    const id = /^Manufacture order (\d+) \(MO-77\) is Processing\.$/m.exec(first.stdout)?.[1];
    const before = await service.oms.get(`/manufacture/${id}`);

    const second = await operator(...command, "25");
    const after = await service.oms.get(`/manufacture/${id}`);
    const list = await service.oms.get("/manufacture");

    expect([first.status, second.status]).toEqual([0, 0]);
    expect(at(before.body, "data")).toMatchObject({
      manufacture_id: Number(id),
      manufacture_number: "MO-77",
      status: "Processing",
      sku: "DEMO-TEE",
      quantity: 40,
      distribution_center: "MAIN",
      due_date: "2026-03-31",
    });
    expect(at(after.body, "data")).toMatchObject({
      status: "Pending",
      quantity: 25,
      due_date: null,
      created_at: at(before.body, "data.created_at"),
    });
    const numbers = listAt(list.body, "data").map((order) => at(order, "manufacture_number"));
    expect(numbers.filter((number) => number === "MO-77")).toHaveLength(1);
  });
});
