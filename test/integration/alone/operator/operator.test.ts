import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { URI } from "otpauth";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { demoMasterKey, demoPassword } from "../../../../infra/demo/registry.ts";
import { noteRunning } from "../../../../infra/operator/cli/local-service.ts";
import { Queues } from "../../../../infra/operator/cli/queues.ts";
import { aliasList } from "../../../../shared/catalog/aliases/alias-repository.ts";
import { orderLookup } from "../../../../shared/orders/storage/order-repository.ts";
import { setAside } from "../../../../shared/publishing/set-aside.ts";
import { binContentLookup } from "../../../../shared/stock/bins/bin-repository.ts";
import { stockLookup } from "../../../../shared/stock/stock-repository.ts";
import { joined, padded } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { tableNames } from "../../../../shared/store/tables.ts";
import { expectBalanceAndMovements } from "../../../support/business/ledger.ts";
import { goodsOf } from "../../../support/business/stockpile.ts";
import {
  claim,
  newOrders,
  newProduct,
  pendingOrder,
  pickFrom,
  pickItems,
} from "../../../support/business/world.ts";
import { damage, invent, lose } from "../../../support/damages/damage.ts";
import { at, listAt, numberAt } from "../../../support/http/client.ts";
import {
  codeIn,
  deviceHeaders,
  forgetCodes,
  login,
  newUser,
  textOf,
  verify,
} from "../../../support/http/mobile.ts";
import { newStore } from "../../../support/records/accounts.ts";
import { publishEvents } from "../../../support/records/publish-events.ts";
import { customer, orderOf, productOf, recountOf } from "../../../support/records/records.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { temporaryFiles } from "../../../support/runtime/files.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { allCommands, runOperator } from "../../../support/store/operator.ts";
import { itemsOf } from "../../../support/store/scan.ts";
import { sampleAlias } from "../../../unit/samples.ts";

const service = await ownService();

/** Where `operator --local` finds the service. */
const forget = noteRunning(service.runtime);
afterAll(forget);
const place = ["--local", "--port", new URL(service.runtime.url).port];

async function operator(...words: readonly string[]) {
  const ended = await runOperator(words, service.db);
  return { ...ended, key: keyIn(ended.stdout) };
}

const keyIn = (stdout: string): string => /^Key (\S{43})$/m.exec(stdout)?.[1] ?? "";

const main = join(import.meta.dirname, "..", "..", "..", "..", "infra", "operator", "main.ts");

function startProcess(...words: readonly string[]) {
  const env = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: inject("compileCache") };
  return spawn(process.execPath, [main, ...place, ...words], { env });
}

async function endOf(child: ReturnType<typeof startProcess>) {
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { status: child.exitCode, stdout, stderr };
}

const asProcess = (...words: readonly string[]) => endOf(startProcess(...words));

describe("a command from the shell", () => {
  test("a command names what it changes, prints the result, and exits with 0", async () => {
    const { status, stdout, stderr } = await asProcess("accounts", "create", "510", "Shell");
    const credentials = { AccountID: "510", Key: keyIn(stdout) };

    const ping = await service.with(credentials).post("/apirest/v4/oms/ping");

    expect([status, ping.status]).toEqual([0, 200]);
    expect(stderr).toBe(`This changes the service at ${service.runtime.url} on this machine.\n`);
  });

  test("a command that publishes prints one JSON document, and the log of the service to the error output", async () => {
    const { alias_id, ...alias } = sampleAlias({ account_id: 510 });
    const key = { pk: joined(aliasList.name, 0), sk: padded(alias_id) };
    const change = { table: aliasList.table, key, before: undefined, after: { ...alias, alias_id } };
    await setAside(service.db, { ...change, id: "alias", sequence: "1", at: alias.created_at }, "unreadable");

    const { status, stdout, stderr } = await asProcess("events", "retry", "--json");

    expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ events: 1, left: 0 })]);
    expect(stderr).toContain('"message":"events published"');
  });

  test("a command that is interrupted exits with 130, and is logged", async () => {
    await service.runtime.pause();
    const child = startProcess("data", "verify", "--repair", "--yes");
    child.stderr?.once("data", () => child.kill("SIGINT"));

    const { status, stdout, stderr } = await endOf(child);
    const { stdout: logged } = await operator("audit", "list", "--limit", "1", "--json");
    service.runtime.resume();

    expect([status, stdout]).toEqual([130, ""]);
    expect(stderr).toMatch(/\nInterrupted\.\n/);
    expect(JSON.parse(logged)).toMatchObject([{ command: "data verify", outcome: "interrupted" }]);
  });

  test("a command that lacks an argument prints only the reason and exits with 2", async () => {
    const { status, stdout, stderr } = await asProcess("accounts", "create", "5");

    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr.startsWith("error: missing required argument 'name'")).toBe(true);
  });
});

describe("the operator's commands", () => {
  test("commands set up an account that can create orders and count stock", async () => {
    const { key } = await operator("accounts", "create", "500", "New Store");
    await operator("shipping-methods", "add", "500", "AIR");
    await operator("stores", "add", "500", "9", "New Web Store");
    await operator("distribution-centers", "add", "7", "NORTH", "Northern Warehouse");
    await operator("bins", "add", "70", "N1", "01", "NORTH");
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

  test("a rotated key takes effect at once, with the account's request limit", async () => {
    const { key: first } = await operator("accounts", "create", "501", "Rotating Store");
    await operator("accounts", "limit", "501", "10", "20");
    const { key: second } = await operator("keys", "rotate", "501", "--yes");
    const ping = (Key: string) => service.with({ AccountID: "501", Key }).post("/apirest/v4/oms/ping");

    const [refused, answered] = [await ping(first), await ping(second)];

    expect(first).not.toBe(second);
    expect([refused.status, answered.status]).toEqual([401, 200]);
    expect(answered.headers.get("ratelimit")).toMatch(/^"account";r=19;/);
  });

  interface Known {
    readonly password: string;
    readonly code: () => string;
  }

  function printed(stdout: string) {
    const [, id = ""] = /^User-Id (\d+)$/m.exec(stdout) ?? [];
    const [, password = ""] = /^Password (\S{20})$/m.exec(stdout) ?? [];
    const authenticator = URI.parse(/^otpauth:\S+$/m.exec(stdout)?.[0] ?? "");
    return { id, password, code: () => authenticator.generate() };
  }

  /** A user with the demo password, whose hash need not be computed. */
  const quickUser = async () => ({ name: await newUser(service), password: demoPassword, code: codeIn });

  /** The output for two new users, shared because hashing a password takes 200 ms. */
  const made = { ida: "", ian: "" };
  beforeAll(async () => {
    made.ida = (await operator("users", "create", "ida")).stdout;
    made.ian = (await operator("users", "create", "ian")).stdout;
  });

  /** Signs in. @returns the headers of the session; undefined if the credentials are rejected */
  async function session(name: string, { password, code }: Known) {
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

  test("an account's requests are limited until the limit is removed", async () => {
    const { key } = await operator("accounts", "create", "505", "Busy Store");
    const ping = () => service.with({ AccountID: "505", Key: key }).post("/apirest/v4/oms/ping");

    const set = await operator("accounts", "limit", "505", "1", "1");
    const answers = await Promise.all([ping(), ping(), ping()]);
    const off = await operator("accounts", "unlimit", "505");
    const after = await ping();
    const unknown = await operator("accounts", "limit", "999", "1", "1");

    expect(set.stdout).toBe("Account 505 may send 1 request a second, and 1 at once.\n");
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(off.stdout).toBe("Account 505 has no limit of requests.\n");
    expect([after.status, after.headers.get("ratelimit")]).toEqual([200, null]);
    expect([unknown.status, unknown.stderr]).toEqual([1, "There is no account 999\n"]);
  });

  test("new credentials let a user sign in to the mobile application, and end earlier sessions", async () => {
    const first = printed(made.ida);
    const begun = await session("ida", first);
    const password = await operator("users", "password", "ida", "--yes");
    const factor = await operator("users", "two-factor", "ida", "--yes");
    const second = printed(`${password.stdout}${factor.stdout}`);
    const withOld = await session("ida", first);
    const withNew = await session("ida", second);

    expect(begun?.id).toBe(first.id);
    expect(second.id).toBe(first.id);
    expect(second.password).not.toBe(first.password);
    expect(withOld).toBeUndefined();
    expect(await logout(begun?.headers)).toBe(401);
    expect(await logout(withNew?.headers)).toBe(200);
  });

  test("every user has a unique id", () => {
    const ids = [made.ida, made.ian].map((stdout) => Number(printed(stdout).id));

    // The demo's users have 1, 2 and 3.
    for (const id of ids) expect(id).toBeGreaterThan(3);
    expect(new Set(ids).size).toBe(2);
  });

  test("revoking a user's sessions does not change the credentials", async () => {
    const { name, ...credentials } = await quickUser();
    const begun = await session(name, credentials);

    const { status, stdout } = await operator("users", "revoke", name, "--yes");
    const again = await login(service, name, { password: credentials.password });

    expect([status, stdout]).toEqual([0, `User ${name} has no session any more.\n`]);
    expect(await logout(begun?.headers)).toBe(401);
    expect(again.status).toBe(200);
  });

  test("a deactivated user can sign in with the same credentials once activated again", async () => {
    const { name, ...credentials } = await quickUser();
    const begun = await session(name, credentials);

    await operator("users", "deactivate", name, "--yes");
    const refused = await login(service, name, { password: credentials.password });
    const ended = await logout(begun?.headers);
    await operator("users", "activate", name);
    const again = await login(service, name, { password: credentials.password });

    expect([refused.status, ended, again.status]).toEqual([401, 401, 200]);
  });

  test("a new second factor or a new password does not change the other", async () => {
    const { name, ...first } = await quickUser();
    await session(name, first);
    const factor = await operator("users", "two-factor", name, "--yes", "--json");
    const { user_id, totp_uri } = JSON.parse(factor.stdout);
    const authenticator = URI.parse(String(totp_uri));
    const second = { ...first, code: () => authenticator.generate() };
    const withNew = await session(name, second);
    const { stdout } = await operator("users", "password", name, "--yes", "--json");
    const password = String(JSON.parse(stdout).password);
    await forgetCodes(service, name);
    const withBoth = await session(name, { ...second, password });

    expect(password).not.toBe(first.password);
    expect([withNew?.id, withBoth?.id]).toEqual([String(user_id), String(user_id)]);
    expect(await login(service, name, { password: first.password })).toMatchObject({ status: 401 });
  });

  test("a new password keeps what another operator changes at the same time", async () => {
    const vera = await newUser(service);
    const troubled = troubledDatabase(service);
    const meanwhile = { before: () => operator("users", "deactivate", vera, "--yes") };
    troubled.add(meanwhile, { text: "credentials" });

    const { status, stdout } = await runOperator(["users", "password", vera, "--yes"], troubled.db);
    const { stdout: list } = await operator("users", "list", "--json");

    expect([status, troubled.hits]).toEqual([0, 1]);
    expect(JSON.parse(list)).toContainEqual(expect.objectContaining({ user_name: vera, activated: false }));
    expect(stdout).not.toContain("picture");
  });

  test("of two users who are created with one name at the same time, only one is created", async () => {
    let first = { status: 1, stdout: "" };
    const troubled = troubledDatabase(service);
    const before = async () => {
      first = await operator("users", "create", "wim");
    };
    troubled.add({ before }, { text: "credentials" });

    const second = await runOperator(["users", "create", "wim"], troubled.db);
    const [, password = ""] = /^Password (\S{20})$/m.exec(first.stdout) ?? [];
    const begun = await login(service, "wim", { password });

    expect([first.status, begun.status]).toEqual([0, 200]);
    expect(second).toMatchObject({ status: 1, stdout: "", stderr: "There is a user wim already\n" });
  });

  test("a second factor is shown as a QR code", () => {
    const picture = made.ida.split("\n").filter((line) => /^[█▀▄ ]+$/.test(line));
    expect(picture.length).toBeGreaterThan(15);
    expect(new Set(picture.map(({ length }) => length)).size).toBe(1);
  });

  test("rotating a key keeps its scope, and whether the account is activated", async () => {
    const { key: first } = await operator(
      "accounts",
      "create",
      "502",
      "Kept",
      "--read-only",
      "--deactivated",
      "--sandbox",
    );
    const { stdout } = await operator("keys", "rotate", "502", "--yes", "--json");
    const rotated = JSON.parse(stdout);
    await operator("accounts", "activate", "502");
    await operator("keys", "scope", "502", "write", "--yes");
    const { stdout: list } = await operator("accounts", "list", "--json");

    expect(rotated).toMatchObject({ account_id: 502, activated: false, key_scope: "read" });
    expect(rotated.key).not.toBe(first);
    expect(JSON.parse(list)).toContainEqual({
      ...{ account_id: 502, name: "Kept", requests_per_second: null, requests_at_once: null },
      ...{ activated: true, key_scope: "write", sandbox: true },
    });
    expect(list).not.toContain("hash");
  });

  test("an account becomes a sandbox, and ceases to be one", async () => {
    await operator("accounts", "create", "506", "Trying");
    const { stdout: on } = await operator("accounts", "sandbox", "506", "on", "--json");
    const { stdout: off } = await operator("accounts", "sandbox", "506", "off", "--json");

    expect([on, off].map((shown) => JSON.parse(shown).sandbox)).toEqual([true, false]);
  });

  test("creating an existing account or user is rejected and changes nothing", async () => {
    await operator("accounts", "create", "503", "First");

    const again = [
      await operator("accounts", "create", "503", "Second"),
      await operator("users", "create", "ian"),
    ];
    const { stdout } = await operator("accounts", "list", "--json");

    expect(again.map(({ status, stderr }) => [status, stderr])).toEqual([
      [1, "There is an account 503 already\n"],
      [1, "There is a user ian already\n"],
    ]);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ account_id: 503, name: "First" }));
  });

  test("a change is logged with who made it, its values, and the record before and after, but no secret", async () => {
    const { key } = await operator("accounts", "create", "509", "Logged");
    await operator("accounts", "deactivate", "509", "--yes");
    const rotated = await operator("keys", "rotate", "509", "--yes");
    await operator("accounts", "rename", "999", "Nobody");

    const { stdout } = await operator("audit", "list", "--json", "--limit", "4");
    const ofKeys = await operator("audit", "list", "--command", "keys", "--json");

    const account = { account_id: 509, name: "Logged", activated: true };
    const entry = {
      at: expect.any(String),
      by: expect.stringMatching(/.@./),
      where: "the service at http://127.0.0.1:1 on this machine",
    };
    expect(JSON.parse(stdout)).toMatchObject([
      { ...entry, command: "accounts rename", values: { account: 999, name: "Nobody" }, outcome: "failed" },
      { ...entry, command: "keys rotate", outcome: "done", result: "AccountID 509" },
      {
        ...{ ...entry, command: "accounts deactivate", values: { account: 509 }, outcome: "done" },
        ...{ before: account, after: { ...account, activated: false } },
      },
      { ...entry, command: "accounts create", outcome: "done", after: account },
    ]);
    for (const secret of [key, rotated.key]) expect(`${stdout}${ofKeys.stdout}`).not.toContain(secret);
    expect(JSON.parse(ofKeys.stdout)).toContainEqual(expect.objectContaining({ command: "keys rotate" }));
    expect(ofKeys.stdout).not.toContain("accounts ");
  });

  test("an irreversible command does nothing without a terminal, or if the answer is no", async () => {
    const { key } = await operator("accounts", "create", "504", "Rotation Store");
    const words = ["keys", "rotate", "504"];
    const silent = await runOperator(words, service.db);
    const denied = await runOperator(words, service.db, { typed: "n" });
    const unchanged = await service.with({ AccountID: "504", Key: key }).post("/apirest/v4/oms/ping");
    const agreed = await runOperator(words, service.db, { typed: "y" });
    const cancelled = await runOperator(words, service.db, { typed: "\u0003" });

    expect([silent.status, silent.stdout, denied.status, denied.stdout]).toEqual([2, "", 1, ""]);
    expect([cancelled.status, cancelled.stdout]).toEqual([130, ""]);
    expect(denied.stderr).toMatch(/on this machine\. This can't be undone\.\s+│?\s*Continue\?/);
    expect(silent.stderr).toContain("add --yes");
    expect(unchanged.status).toBe(200);
    expect([agreed.status, keyIn(agreed.stdout)]).toEqual([0, expect.stringMatching(/^\S{43}$/)]);
  });

  test.each<[readonly string[], string, number?]>([
    [["users", "revoke", "nobody", "--yes"], "There is no user nobody", 1],
    [["users", "create", "x".repeat(101)], "NAME must be 1 to 100 characters"],
    [["bins", "add", "1", "A#1", "01", "MAIN"], "LOCATION must be 1 to 50 letters and digits"],
    [["nonsense"], "error: unknown command 'nonsense'"],
    [["toString"], "error: unknown command 'toString'"],
    [["orders", "release", "999999999"], "There is no order with order_id 999999999", 1],
    [["orders", "ship", "999999999", "--yes"], "There is no order with order_id 999999999", 1],
    [
      ["manufacture-orders", "put", "101", "M", "DEMO-TEE", "1"],
      "Account 101 has no product with the SKU DEMO-TEE",
      1,
    ],
  ])("an invalid command is rejected: %j", async (values, message, expected = 2) => {
    const { status, stderr, stdout } = await operator(...values);

    expect([status, stdout]).toEqual([expected, ""]);
    expect(stderr.startsWith(message)).toBe(true);
  });
});

describe("the commands for jobs", () => {
  /** Runs a command on the local runtime, as `npm start` announces it. */
  const local = async (...words: readonly string[]) => {
    const ended = await runOperator([...place, "--json", ...words]);
    return { ...ended, data: ended.stdout === "" ? undefined : JSON.parse(ended.stdout) };
  };

  test("queued jobs are listed, and resent messages take effect once", async () => {
    await service.runtime.pause();
    const { sku } = await newProduct(service);
    const counted = await service.wms.post(
      "/recount",
      recountOf(sku, [{ location: "A1", bin: "01", qty: 6 }]),
    );
    const id = String(
      at(counted.body, "data.result.0.correction_id") ?? at(counted.body, "result.0.correction_id"),
    );
    const queued = await local("jobs", "list");
    const shown = await local("jobs", "show", id);
    const { queues, deadLetterQueues, endpoint } = service.runtime.sqs;
    const access = {
      region: "us-east-1",
      credentials: { accessKeyId: "operator", secretAccessKey: "local" },
    };
    // As if the message had failed five times.
    const failing = new Queues(
      { queues: deadLetterQueues, deadLetterQueues: queues },
      { ...access, endpoint },
    );
    await failing.send(
      "recount",
      JSON.stringify({ job_id: Number(id), by: "user:manager", payload: shown.data.payload }),
    );

    const retried = await local("jobs", "retry", id);
    const redriven = await local("jobs", "redrive", "recount");
    service.runtime.resume();
    await service.settled();
    const late = await local("jobs", "retry", id);
    const unknown = await local("jobs", "redrive", "nonsense");

    expect(queued.data).toContainEqual(
      expect.objectContaining({ job_id: Number(id), kind: "recount", status: "queued" }),
    );
    expect([retried.status, redriven.data]).toEqual([0, { kind: "recount", messages: 1 }]);
    expect(await expectBalanceAndMovements(service, sku)).toMatchObject({ on_hand: 6 });
    expect([late.status, late.data.error.message]).toEqual([
      1,
      `Job ${id} is applied; only a queued job can be retried`,
    ]);
    expect(unknown.status).toBe(2);
    expect(unknown.data.error.message).toMatch(
      /^There is no queue of the kind nonsense; the kinds are .*\brecount\b/,
    );
  });
});

describe("the commands for data and events", () => {
  test("data are verified and repaired with a line for each difference, and the feed is aligned", async () => {
    const { sku, product_id } = await goodsOf(service, 10);
    await damage(service.db, stockLookup(product_id, 1), { on_hand: 2 });

    const found = await operator("data", "verify", "100");
    const repaired = await operator("data", "verify", "100", "--repair", "--yes");
    const clean = await operator("data", "verify", "100", "--json");
    const aligned = await operator("events", "align", "100", "--json", "--yes");

    const line = `stock of product ${product_id} (${sku}) in MAIN: on_hand: expected 10, found 12`;
    expect([found.status, found.stderr]).toEqual([5, `${line}\n`]);
    expect(found.stdout).toMatch(
      /^Findings 1, of which 0 are repaired\. Items read \d+, in \d+ pages, for \d+ read units\.\n$/,
    );
    expect([repaired.status, repaired.stderr]).toEqual([0, `${line} (repaired)\n`]);
    expect([clean.status, clean.stdout]).toEqual([0, "[]\n"]);
    expect([aligned.status, JSON.parse(aligned.stdout).busy]).toEqual([0, 0]);
  });

  test("what is left of a lost bin is named and kept, until an operator accepts the loss", async () => {
    const { sku, product_id } = await goodsOf(service, 10);
    await lose(service.db, binContentLookup(product_id, "A1", "03"));
    const name = `stock of product ${product_id} (${sku}) in MAIN`;

    const repaired = await operator("data", "verify", "100", "--repair", "--yes");
    const useless = await operator("data", "verify", "100", "--accept", name);
    const accepted = await operator(
      "data",
      "verify",
      "100",
      "--repair",
      "--yes",
      "--accept",
      name,
      "--accept",
      "no such",
    );
    const clean = await operator("data", "verify", "100", "--json");

    expect(repaired.status).toBe(5);
    expect(repaired.stderr).toContain(
      `${name}: on_hand: expected 0, found 10 (left to you: restore the bin, order or replenishment that is missing from a backup; ` +
        `or, if it is lost for good, add --repair --accept "${name}")\n`,
    );
    expect(repaired.stdout).toMatch(/^Findings 3, of which 1 are repaired and 2 left to you\. /);
    expect([useless.status, useless.stderr]).toEqual([2, "--accept needs --repair\n"]);
    expect(accepted.stderr).toContain(`${name}: on_hand: expected 0, found 10 (repaired)\n`);
    expect(accepted.stderr).toContain('Nothing was found of "no such", so nothing was accepted.\n');
    expect([accepted.status, clean.status, clean.stdout]).toEqual([5, 0, "[]\n"]);
  });
});

test("a finding that can't be accepted as a loss says so", async () => {
  const lookup = orderLookup(await pendingOrder(service, [{ sku: "DEMO-TEE", quantity: 1 }]));
  const item = (await getItem(service.db, lookup)) ?? {};
  await damage(service.db, lookup, {}, { content: "torn" });
  const name = "list order of 100";

  const { status, stderr } = await operator("data", "verify", "100", "--repair", "--yes", "--accept", name);
  await invent(service.db, lookup, item);

  expect(status).toBe(5);
  expect(stderr).toContain(`"${name}" can't be accepted as lost: do what its finding says.\n`);
});

describe("the commands for orders, lists and manufacture orders", () => {
  const tee = async () => at((await service.oms.get("/inventory/stock?sku=DEMO-TEE")).body, "data.0");
  const orderTee = () => pendingOrder(service, [{ sku: "DEMO-TEE", quantity: 2 }]);

  test("an order is released and, once it is picked, shipped with its tracking number", async () => {
    const before = await tee();
    const orderId = await orderTee();
    const id = String(orderId);

    const released = await operator("orders", "release", id);
    const early = await operator("orders", "ship", id, "--yes");
    await claim(service, orderId);
    await pickItems(service, orderId, pickFrom("DEMO-TEE", 2, "A1/01"));
    const shipped = await operator(
      "orders",
      "ship",
      id,
      "--tracking",
      "1Z 999",
      "--carrier",
      "Parcel Post",
      "--yes",
    );
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
    await expectBalanceAndMovements(service, "DEMO-TEE");
  });

  test("a rebuild of a list prints each of its blocks", async () => {
    const before = await service.oms.get("/inventory/aliases");

    const { status, stdout, stderr } = await operator("lists", "rebuild", "alias");
    const after = await service.oms.get("/inventory/aliases");

    const lines = stderr.trimEnd().split("\n");
    expect([status, stdout]).toEqual([0, `Blocks ${lines.length}, records moved 0, counters corrected 0.\n`]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^block \d+ of 100: 0 records moved, counters right$/),
    );
    expect(after.body).toEqual(before.body);
    expect(numberAt(after.body, "metadata.total_records")).toBeGreaterThan(0);
  });

  test("a manufacture order is created, and overwritten by its number", async () => {
    const command = ["manufacture-orders", "put", "100", "MO-77", "DEMO-TEE"] as const;
    const first = await operator(...command, "40", "--status", "Processing", "--due-date", "2026-03-31");
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

describe("the commands that look at records", () => {
  const fileOf = temporaryFiles();
  beforeAll(() => pendingOrder(service, [{ sku: "DEMO-TEE", quantity: 1 }]));
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

  const json = async (...words: readonly string[]) => {
    const { status, stdout } = await operator(...words, "--json");
    expect(status).toBe(0);
    return JSON.parse(stdout);
  };

  test("an order is explained by what it waits for, from its creation to its shipment", async () => {
    const { sku } = await newProduct(service);
    const short = await pendingOrder(service, [{ sku, quantity: 3 }]);
    const orderId = await pendingOrder(service, [{ sku: "DEMO-TEE", quantity: 1 }]);
    const waits = async (id: number): Promise<readonly unknown[]> =>
      (await json("orders", "explain", String(id))).waits.map((one: unknown) => at(one, "for"));

    const steps = [await waits(short), await waits(orderId)];
    await claim(service, orderId);
    steps.push(await waits(orderId));
    await pickItems(service, orderId, pickFrom("DEMO-TEE", 1, "A1/01"));
    steps.push(await waits(orderId));
    await operator("orders", "ship", String(orderId), "--yes");
    steps.push(await waits(orderId));
    const text = (await operator("orders", "explain", String(short))).stdout;

    expect(steps).toEqual([["goods", "picker"], ["picker"], ["picks"], ["quality_control"], ["nothing"]]);
    expect(text).toContain(
      `${sku} is short in MAIN: the order needs 3, on hand 0, reserved for all orders 3, incoming 0.`,
    );
  });

  test("an order is found by its number, and shown without its customer unless that is asked for", async () => {
    const plain = await json("orders", "show", "DEMO-1", "--account", "100");
    const whole = await json("orders", "show", String(plain.order_id), "--customer");
    const unknown = await operator("orders", "show", "DEMO-1", "--account", "101");

    expect(plain).toMatchObject({ account_id: 100, order_number: "DEMO-1", status: "Pending" });
    expect([plain.customer, whole.customer]).toEqual([undefined, expect.objectContaining({ country: "US" })]);
    expect([unknown.status, unknown.stderr]).toEqual([1, "Account 101 has no order DEMO-1\n"]);
  });

  test.each<[string, unknown]>([
    [
      "orders list --account 100 --status Pending",
      expect.arrayContaining([expect.objectContaining({ order_number: "DEMO-1", status: "Pending" })]),
    ],
    [
      "orders list --limit 2",
      [expect.objectContaining({ account_id: expect.any(Number) }), expect.anything()],
    ],
    [
      "stock show 100 DEMO-TEE",
      {
        levels: [
          {
            ...{ sku: "DEMO-TEE", product_id: expect.any(Number), distribution_center: "MAIN" },
            ...{ on_hand: expect.any(Number), reserved: expect.any(Number), held: 0 },
            ...{ available: expect.any(Number), incoming: expect.any(Number) },
          },
        ],
        bins: expect.arrayContaining([expect.objectContaining({ location: "A1" })]),
      },
    ],
    [`stock show 100 DEMO-TEE --as-of ${yesterday}`, { as_of: `${yesterday}T23:59:59.999Z`, levels: [] }],
    [
      "stock explain 100 DEMO-TEE --limit 1",
      {
        orders_complete: true,
        holds: [],
        orders: expect.arrayContaining([expect.objectContaining({ reserved: expect.any(Number) })]),
        movements: [expect.anything()],
      },
    ],
    [
      "bins show A1 01",
      expect.arrayContaining([
        expect.objectContaining({ account_id: 100, sku: "DEMO-TEE", corrections: [] }),
      ]),
    ],
    ["webhooks list", []],
    ["events list 100", []],
    ["events lag", expect.arrayContaining([expect.objectContaining({ account_id: 100, latest: 0 })])],
    [
      "accounts show 100",
      {
        account_id: 100,
        name: "Demo Store",
        orders: expect.objectContaining({ Pending: expect.any(Number) }),
        webhooks: [],
      },
    ],
    ["backlog", expect.arrayContaining([expect.objectContaining({ count: expect.any(Number) })])],
  ])("`operator %s` answers without a key of the account, and changes nothing", async (command, answer) => {
    const troubled = troubledDatabase(service);
    const { status, stdout } = await runOperator([...command.split(" "), "--json"], troubled.db);

    const found = JSON.parse(stdout);
    expect(status).toBe(0);
    if (Array.isArray(answer) || Array.isArray(found)) expect(found).toEqual(answer);
    else expect(found).toMatchObject(Object(answer));
    expect(troubled.transactions).toBe(0);
  });

  test("`operator events list` shows the newest events first, also those of one record", async () => {
    const { accountId } = await newStore(service);
    const types = ["order.created", "product.created", "order.updated", "product.updated", "order.shipped"];
    await publishEvents({ ...service, accountId }, ...types);
    const listing = async (...options: readonly string[]) => {
      const { stdout } = await operator("events", "list", String(accountId), "--json", ...options);
      return listAt({ events: JSON.parse(stdout) }, "events").map((one) => at(one, "type"));
    };

    expect(await listing("--limit", "3")).toEqual(["order.shipped", "product.updated", "order.updated"]);
    expect(await listing("--limit", "2", "--subject", "order:1000")).toEqual([
      "order.shipped",
      "order.updated",
    ]);
  });

  test("`operator events list` finds events of a rare type behind thousands of others", async () => {
    const { accountId } = await newStore(service);
    const owner = { ...service, accountId };
    await publishEvents(owner, "order.created", "order.shipped");
    // More than one call of the API examines, which ends between two pages of batches.
    const others = Array.from({ length: 250 }, () => "product.updated");
    for (let batch = 0; batch < 10; batch += 1) await publishEvents(owner, ...others);
    await publishEvents(owner, "order.updated");

    const words = ["events", "list", String(accountId), "--types", "order.*", "--json"];
    const [some, all] = [await operator(...words, "--limit", "2"), await operator(...words)];

    expect(JSON.parse(some.stdout)).toMatchObject([{ sequence: 2503 }, { sequence: 2 }]);
    expect(JSON.parse(all.stdout)).toMatchObject([{ sequence: 2503 }, { sequence: 2 }, { sequence: 1 }]);
  });

  test("`operator stock explain` shows as many movements as its limit says, from several pages", async () => {
    const { sku } = await newProduct(service);
    for (const count of [51, 51])
      await newOrders(
        service,
        Array.from({ length: count }, () => [{ sku, quantity: 1 }]),
      );

    const explained = async (most: string) =>
      listAt(await json("stock", "explain", "100", sku, "--limit", most), "movements").length;

    expect([await explained("101"), await explained("1000")]).toEqual([101, 102]);
  });

  test.each(["webhooks show 999", "webhooks deliveries 999"])(
    "`operator %s` names what is missing",
    async (command) => {
      const { status, stderr } = await operator(...command.split(" "));

      expect([status, stderr]).toEqual([1, "There is no webhook 999\n"]);
    },
  );

  test("`operator stock export` writes the levels of a moment to a new file", async () => {
    const file = `${fileOf("stock")}.csv`;

    const { status } = await operator("stock", "export", "100", file, "--as-of", new Date().toISOString());

    expect(status).toBe(0);
    expect(readFileSync(file, "utf8")).toMatch(
      /^sku,product_id,distribution_center,on_hand,.*\nDEMO-TEE,\d+,MAIN,\d+,/s,
    );
  });
});

describe("a dry run", () => {
  const fileOf = temporaryFiles();
  const order = {
    ...{ order_number: "DRY-1", shipping_method: "GROUND", customer },
    items: [{ sku: "DEMO-TEE", quantity: 1 }],
  };

  /** A command line for each command that changes something, and how it ends. */
  const lines: readonly (readonly [string, (orderId: number) => readonly string[], number?])[] = [
    ["accounts create", () => ["599", "Dry"]],
    ["accounts activate", () => ["102"]],
    ["accounts deactivate", () => ["100"]],
    ["accounts rename", () => ["100", "Renamed"]],
    ["accounts limit", () => ["100", "1", "1"]],
    ["accounts unlimit", () => ["100"]],
    ["accounts sandbox", () => ["100", "on"]],
    ["keys rotate", () => ["100"]],
    ["keys scope", () => ["100", "read"]],
    ["master-key rotate", () => []],
    ["users create", () => ["dry"]],
    ["users activate", () => ["manager"]],
    ["users deactivate", () => ["manager"]],
    ["users permit", () => ["manager", "no"]],
    ["users password", () => ["manager"]],
    ["users two-factor", () => ["manager"]],
    ["users revoke", () => ["manager"]],
    ["distribution-centers add", () => ["8", "DRY", "Dry Warehouse"]],
    [
      "distribution-centers import",
      () => [fileOf("dc.csv", "distribution_center_id,code,name", "9,DRIER,Drier")],
    ],
    ["bins add", () => ["800", "D1", "01", "MAIN"]],
    ["bins import", () => [fileOf("bins.csv", "bin_id,location,bin,distribution_center", "801,D2,01,MAIN")]],
    ["shipping-methods add", () => ["100", "DRY"]],
    ["shipping-methods import", () => ["100", fileOf("methods.csv", "code", "DRIER")]],
    ["stores add", () => ["100", "88", "Dry Shop"]],
    ["stores import", () => ["100", fileOf("stores.csv", "store_id,name", "89,Drier Shop")]],
    ["suppliers add", () => ["100", "Dry Supply"]],
    ["suppliers import", () => ["100", fileOf("suppliers.csv", "name", "Drier Supply")]],
    ["package-types add", () => ["100", "DRY"]],
    ["package-types import", () => ["100", fileOf("types.csv", "code", "DRIER")]],
    ["products import", () => ["100", fileOf("products.json", JSON.stringify([productOf()]))]],
    [
      "stock import",
      () => ["100", fileOf("stock.csv", "sku,location,bin,quantity", "DEMO-CAP,A2,01,5"), "--update"],
    ],
    ["orders import", () => ["100", fileOf("orders.json", JSON.stringify([order]))]],
    ["orders archive", () => ["--before", "2020-01-01", "--to", "orders.jsonl.gz"]],
    ["orders release", (orderId) => [String(orderId)]],
    ["orders ship", (orderId) => [String(orderId)], 1],
    ["manufacture-orders put", () => ["100", "DRY-MO", "DEMO-TEE", "1"]],
    ["jobs retry", () => ["999999999"], 1],
    ["jobs redrive", () => ["recount"]],
    ["customers erase", () => ["999999999"], 5],
    ["data migrate", () => []],
    ["data restore-record", () => ["order", "999999999", "--from", service.db.tableName("orders")], 1],
    ["data verify", () => ["100", "--repair"]],
    ["data verify", () => ["100"]],
    ["events align", () => ["100"]],
    ["events retry", () => []],
    ["events skip", () => ["orders", "order#2", "1"], 1],
    ["lists rebuild", () => ["alias"]],
    ["history drop", () => ["2020-01-01", "--exported", "past.jsonl.gz"], 2],
    ["history total", () => []],
    ["smoke", () => ["--remove", "9000001"], 1],
    ["smoke", () => ["--skip", "sweeper"], 2],
  ];

  test("is an option of every command that changes something", () => {
    const offering = [...allCommands()].flatMap(([name, { options }]) =>
      options.some(({ long }) => long === "--dry-run") ? [name] : [],
    );

    expect(new Set(lines.map(([command]) => command))).toEqual(new Set(offering));
  });

  test("ends as the command would, asks nothing, shows no secret, and stores nothing", async () => {
    const orderId = await pendingOrder(service, [{ sku: "DEMO-TEE", quantity: 1 }]);
    await service.settled();
    const stored = async () =>
      JSON.stringify(await Promise.all(tableNames.map((table) => itemsOf(service.db, table))));
    const before = await stored();

    const variables = { MASTER_KEY: demoMasterKey };
    const ended: { readonly command: string; readonly status: number; readonly stdout: string }[] = [];
    for (const [command, words] of lines) {
      const all = [...place, ...command.split(" "), ...words(orderId), "--dry-run"];
      ended.push({ command, ...(await runOperator(all, undefined, { variables })) });
    }

    const wrong = ended.filter(({ status }, position) => status !== (lines[position]?.[2] ?? 0));
    expect(wrong).toEqual([]);
    expect(ended.map(({ stdout }) => keyIn(stdout)).filter((key) => key !== "")).toEqual([]);
    expect(ended.find(({ command }) => command === "products import")?.stdout).toMatch(/^Created 1, /);
    expect(ended.find(({ command }) => command === "history total")?.stdout).toMatch(/^Products whose/);
    expect(ended.find(({ command }) => command === "accounts deactivate")?.stdout).toContain("not activated");
    expect(await stored()).toBe(before);
  });
});
