import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barcodeOf } from "../../../../shared/orders/order.ts";
import { blockSize, shapesOf } from "../../../bench/scale/lists/account.ts";
import { recordsIn } from "../../../bench/scale/lists/records.ts";
import { expected } from "../../../bench/scale/lists/requests.ts";
import { storeCounters } from "../../../bench/scale/lists/tree.ts";
import { pendingOrder } from "../../../support/business/world.ts";
import { at, listAt, numberAt } from "../../../support/http/client.ts";
import { type Receiver, startReceiver } from "../../../support/http/receiver.ts";
import { putAccount } from "../../../support/records/accounts.ts";
import { customer, orderOf, productOf } from "../../../support/records/records.ts";
import { browserHere, closePages, openPage, sharedBrowser } from "../../../support/runtime/browser.ts";
import { type OwnService, startService } from "../../../support/runtime/own-service.ts";
import { type Store, storeOf } from "../../../support/runtime/service.ts";

const path = "/apirest/v4/oms/console";
/** Run with this variable, the tests write the pictures of `docs/console.md`. */
const pictures = process.env["CONSOLE_PICTURES"] === undefined ? undefined : "docs/console";
const demoAccount = {
  account_id: 100,
  name: "Demo Store",
  activated: true,
  key: "demo-oms-key-100",
  key_scope: "write",
  sandbox: true,
} as const;

const root = join(import.meta.dirname, "../../../..");
const axe = join(root, "node_modules/axe-core/axe.min.js");
/** What axe finds on the page by these rules, or all: the rule and the first element that breaks it. */
const runAxe = (rules?: readonly string[]): string =>
  `axe.run(${rules === undefined ? "" : JSON.stringify({ runOnly: rules })}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + " " + nodes[0].html))`;
/** Pauses between attempts take a tenth of their time, so that tests needn't wait for them. */
const hurried = `{
  const { setTimeout } = window;
  window.setTimeout = (run, ms) => setTimeout(run, ms < 10_000 ? ms / 10 : ms);
}`;
const hostile = '<img src=x onerror="document.title=1">';

describe.skipIf(browserHere === undefined)("the console", () => {
  let service: OwnService;
  let browser: Browser;
  let page: Page;
  let troubles: readonly string[];
  let orderId: number;
  let receiver: Receiver;

  const signIn = async (page: Page, { credentials }: Store, keep = false): Promise<void> => {
    await page.goto(path);
    await page.getByLabel("Account id").fill(credentials["AccountID"] ?? "");
    await page.getByLabel("Key").fill(credentials["Key"] ?? "");
    if (keep) await page.getByLabel("Keep them").check();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Console" }).waitFor();
  };
  const open = async (hash: string): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  };
  const picture = async (name: string): Promise<void> => {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`), animations: "disabled" });
  };
  const main = () => page.getByRole("main");
  /** Makes a change that has no form: opens its dialog, and sends it once the dry run has answered. */
  const change = async (label: string): Promise<void> => {
    await main().getByRole("button", { name: label, exact: true }).click();
    await page.getByRole("dialog").getByRole("status").waitFor();
    await confirm(label);
  };
  const confirm = async (label: string): Promise<void> => {
    await page.getByRole("dialog").getByRole("button", { name: label }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };

  beforeAll(async () => {
    [service, browser, receiver] = await Promise.all([
      startService({ streams: true, instancesPerFunction: 5 }),
      sharedBrowser(),
      startReceiver((_, response) => response.writeHead(204).end()),
    ]);
    const order = orderOf([{ sku: "DEMO-TEE", quantity: 2 }], {
      order_number: "HOSTILE-1",
      customer: { ...customer, firstname: hostile },
    });
    const { body } = await service.oms.post("/orders", { data: [order] });
    orderId = numberAt(body, "data.0.order_id");
    await service.settled();
    const { origin } = new URL((await service.browse(path)).url);
    ({ page, troubles } = await openPage(browser, origin, {
      viewport: { width: 1120, height: 720 },
      timezoneId: "Asia/Tokyo",
    }));
    await page.addInitScript({ path: axe });
    await page.addInitScript(hurried);
    await signIn(page, service);
  });
  afterAll(() => Promise.all([closePages(browser), receiver.close(), service.runtime.stop()]));

  test("finds orders by the beginning of their number and by status, and shows one with its history", async () => {
    await page.getByLabel("Number").fill("DEMO-*");
    await page.keyboard.press("Enter");
    await page.getByText("3 orders").waitFor();
    await page.getByLabel("Status").selectOption("Shipped");
    await page.getByText("1 order", { exact: true }).waitFor();
    await picture("order-list");
    await main().getByRole("link", { name: "DEMO-3" }).click();
    await page.getByRole("heading", { name: "DEMO-3" }).waitFor();
    await page.locator("summary", { hasText: "order.created" }).waitFor();
    await picture("order");
    const timeline = await page.locator(".timeline").innerText();
    const hover = await page.locator("summary time").first().getAttribute("title");

    const actions = await page.locator("aside").innerText();
    await page.getByRole("link", { name: "Announce a return" }).click();
    await page.getByLabel("Body").waitFor();
    expect(await page.getByLabel("Call").inputValue()).toBe("createReturns");
    expect(actions).toContain("Edit The order is Shipped; only a Pending order can be edited.");
    expect(timeline).toMatch(/Processing → Shipped by user:manager[\s\S]*picked 1 × DEMO-MUG/);
    expect(timeline).toContain("order.created");
    expect(hover).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(page.url()).not.toContain(service.credentials["Key"] ?? "");
  });

  test("asks for whole days in the viewer's zone, and for nothing newer than the first page", async () => {
    const boundsOf = async (query: string) => {
      const asked = page.waitForRequest(/from_date/);
      await open(`#/orders?from=2026-01-31&${query}`);
      const { searchParams } = new URL((await asked).url());
      return ["from_date", "to_date"].map((name) => searchParams.get(name));
    };
    const day = await boundsOf("to=2026-01-31");
    const earlier = await boundsOf("to=2026-01-31&until=2026-01-31T10:00:00.000Z");
    const later = await boundsOf("to=2026-01-31&until=2026-02-01T10:00:00.000Z");

    expect(day).toEqual(["2026-01-30T15:00:00.000Z", "2026-01-31T14:59:59.999Z"]);
    expect(earlier[1]).toBe("2026-01-31T10:00:00.000Z");
    expect(later).toEqual(day);
  });

  test("shows an order's lines and timeline by pages, and adds up the stock of its goods over its pages", async () => {
    const { body } = await service.oms.get("/inventory/stock?sku=DEMO-TEE");
    const named: number[] = [];
    await page.route("**/inventory/stock?*", async (route) => {
      const { searchParams } = new URL(route.request().url());
      const number = Number(searchParams.get("page") ?? 1);
      named.push((searchParams.get("sku") ?? "").split(",").length);
      const figures = { on_hand: 1000 * number, available: number === 2 ? -4 : 7, incoming: number };
      const data = [{ ...Object(listAt(body, "data")[0]), ...figures }];
      const metadata = { ...Object(at(body, "metadata")), page: number, total_pages: 3, total_records: 3 };
      await route.fulfill({ json: { data, metadata } });
    });
    const { body: order } = await service.oms.get(`/orders/${orderId}`);
    const [items, history] = ["items", "history"].map((name) =>
      Array.from({ length: 60 }, (_, row) => ({
        ...Object(listAt(order, `data.${name}`)[0]),
        at: new Date(row).toISOString(),
      })),
    );
    const others = Array.from({ length: 100 }, (_, row) => ({ ...items?.[0], sku: `OTHER-${row}` }));
    const data = { ...Object(at(order, "data")), items: [...(items ?? []), ...others], history };
    await page.route(`**/orders/${orderId}`, (route) => route.fulfill({ json: { data } }));
    await open(`#/orders/${orderId}`);
    const cells = page.getByRole("region", { name: "Items" }).locator("td");
    await cells.first().waitFor();
    const onHand = await cells.nth(4).innerText();
    const actions = await page.locator("aside").innerText();
    const waits = await main().locator(".notice").innerText();
    await page.getByText("160 lines, page 1 of 4").waitFor();
    await page.getByText("61 rows, page 1 of 2").waitFor();
    for (const _ of [2, 3, 4]) await page.getByRole("button", { name: "Next" }).first().click();
    const later = await page.getByRole("region", { name: "Items" }).locator("tbody tr").count();
    await page.unrouteAll();

    expect(later).toBe(10);
    // Calls name at most 100 SKUs, so the 101 take two, and each adds the same three pages here.
    expect(Math.max(...named)).toBe(100);
    expect(onHand).toBe("12000");
    expect(waits).toContain("orders reserve 8 more of DEMO-TEE than there are, and 12 are announced");
    expect(actions).toMatch(/Edit[\s\S]*Announce a return/);
    expect(actions).not.toMatch(/updateOrders|createReturns/);
  });

  test("gives an order a sub-status, and cancels it, after a dry run that says what it would change", async () => {
    await open(`#/orders/${orderId}`);
    await page.getByRole("button", { name: "Set sub-status" }).click();
    await page.getByRole("textbox", { name: "Sub-status" }).fill("Called");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("Dry run: Set sub-status").waitFor();
    await page.getByRole("textbox", { name: "Sub-status" }).fill("Called the customer");
    await page.getByText("Dry run: Set sub-status").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("Dry run: Set sub-status").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Set sub-status" }).click();
    await main().locator(".badge", { hasText: "Called the customer" }).waitFor();
    await page.getByRole("button", { name: "Cancel order" }).click();
    const preview = await page.getByRole("dialog").getByRole("status").innerText();
    const focused = await page.evaluate("document.activeElement.innerText");
    const before = await service.oms.get(`/orders/${orderId}`);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
    await main().getByText("Cancelled").first().waitFor();

    expect(focused).toBe("Cancel order");
    expect(preview).toMatch(/Dry run: Cancel order[\s\S]*status Pending → Cancelled/);
    expect(at(before.body, "data.status")).toBe("Pending");
    expect(await page.title()).toBe("HOSTILE-1 · Console");
    expect(await page.locator("address").innerText()).toContain(hostile);
  });

  test("shows a product's stock now and at any time, what reserves it, and its movements", async () => {
    await open("#/stock");
    await page.getByLabel("SKU").fill("DEMO-M*");
    await page.keyboard.press("Enter");
    await page.getByText("1 line", { exact: true }).waitFor();
    await picture("stock");
    await main().getByRole("link", { name: "DEMO-MUG" }).click();
    await page.getByText("5 movements").waitFor();
    const slider = page.getByRole("slider");
    await slider.fill((await slider.getAttribute("min")) ?? "");
    const then = page.locator(".figures").nth(1);
    await then.waitFor();
    await picture("product");
    const figures = await then.innerText();
    await slider.fill((await slider.getAttribute("max")) ?? "");
    await page.getByText("Stock as of now").waitFor();

    expect(await page.locator(".figures").count()).toBe(1);
    expect(await page.locator(".figures").nth(0).innerText()).toMatch(/On hand\s+25\s+Reserved\s+2/);
    expect(figures).toMatch(/On hand\s+26\s+Reserved\s+0/);
    expect(await page.getByRole("region", { name: "What reserves it" }).innerText()).toMatch(
      /^By\s+Quantity\s+Order \d+\s+1\s+Order \d+\s+1\s*$/i,
    );
    expect(await page.locator(".chart canvas").count()).toBe(1);
  });

  test("shows the stock of a SKU that no path can have, and says why not its movements", async () => {
    await service.oms.post("/inventory/products", { data: [productOf({ sku: "NO/PATH?" })] });
    await open("#/stock?sku=NO/*");
    await main().getByRole("link", { name: "NO/PATH?" }).click();
    await page.getByText("No call reads the movements").waitFor();

    expect(await page.locator(".figures").innerText()).toMatch(/On hand\s+0/);
  });

  test("reads each of 1,500 movements once, although one comes in between", async () => {
    const { body } = await service.oms.get("/inventory/stock/DEMO-MUG/movements");
    const movement = listAt(body, "data")[0];
    await page.route("**/movements?*", async (route) => {
      const number = Number(new URL(route.request().url()).searchParams.get("page"));
      const total = number === 1 ? 1500 : 1501;
      const begin = (number - 1) * 100 - (total - 1500);
      const times = Array.from({ length: 100 }, (_, row) => begin + row).filter((row) => row < 1500);
      const data = times.map((row) => ({ ...Object(movement), at: new Date(1e12 - row).toISOString() }));
      const metadata = {
        ...Object(at(body, "metadata")),
        total_records: total,
        total_pages: Math.ceil(total / 100),
      };
      await route.fulfill({ json: { data, metadata } });
    });
    await open("#/stock/DEMO-TEE");
    await page.getByText("1,099 movements, page 1 of 22").waitFor();
    await page.getByRole("button", { name: "Read more" }).click();
    await page.getByText("1,500 movements, page 1 of 30").waitFor();
    await page.unroute("**/movements?*");
    const ends = ["min", "max"].map((name) => page.getByRole("slider").getAttribute(name));
    const [first, now] = (await Promise.all(ends)).map(Number);

    expect(await page.getByRole("button", { name: "Read more" }).count()).toBe(0);
    // These movements are older than the past stock that the API keeps: two years, less a day.
    expect(Number(now) - Number(first)).toBe(729 * 86_400_000);
  });

  test("shows a product's stock of all centers together, and that of each below", async () => {
    const { body } = await service.oms.get("/inventory/stock?sku=DEMO-MUG");
    const centers = { LA: { on_hand: 30, available: -2 }, NY: { on_hand: 12, available: 5 } };
    const data = Object.entries(centers).map(([distribution_center, figures]) => {
      return { ...Object(listAt(body, "data")[0]), distribution_center, ...figures, incoming: null };
    });
    await page.route("**/inventory/stock?*", (route) => route.fulfill({ json: { data } }));
    await open("#/stock/DEMO-MUG");
    const byCenter = page.getByRole("region", { name: "Stock by center" }).locator("tbody tr");
    await byCenter.first().waitFor();
    await page.unroute("**/inventory/stock?*");

    expect(await byCenter.allInnerTexts()).toEqual([
      expect.stringMatching(/^LA\s+30\s.*\s-2\s+–$/),
      expect.stringMatching(/^NY\s+12\s.*\s5\s+–$/),
    ]);
    expect(await page.locator(".figures").innerText()).toMatch(/On hand\s+42[\s\S]*Available\s+3$/);
  });

  test("shows new events by themselves, of the types that are asked for", async () => {
    await open("#/events?types=product.*");
    await page.getByText("live", { exact: true }).waitFor();
    await service.oms.post("/inventory/products", { data: [productOf({ sku: "LIVE-1" })] });
    const arrived = page.locator("li", { hasText: "LIVE-1" });
    await arrived.locator("summary").click();
    await arrived.locator("pre").waitFor();
    await picture("events");
    const shown = await page.locator("summary").allInnerTexts();

    expect(shown.every((text) => text.includes("product."))).toBe(true);
  });

  test("makes, tests, rotates and pauses a webhook, shows each secret once, and its deliveries", async () => {
    await open("#/webhooks");
    await page.getByRole("button", { name: "New webhook" }).click();
    await page.getByLabel("URL").fill(receiver.url);
    await page.getByLabel("Types").fill("alias.* , product.created");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("Events of alias.*, product.created would be posted to").waitFor();
    await confirm("New webhook");
    const secret = /whsec_[\w+/=]+/.exec(await page.locator(".notice").innerText())?.[0] ?? "";
    const code = await page.locator("figure").nth(1).innerText();
    await main().getByRole("region", { name: "Webhooks" }).getByRole("link").first().click();
    await change("Test");
    await service.settled();
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.locator("summary", { hasText: "webhook.test" }).click();
    await page.locator(".opened .loading").waitFor({ state: "detached" });
    await picture("webhook");
    await change("Resend");
    for (const sku of ["HOOKED-1", "HOOKED-2"])
      await service.oms.post("/inventory/products", { data: [productOf({ sku })] });
    await service.settled();
    await page.getByRole("button", { name: "Refresh" }).click();
    const created = page.locator("summary", { hasText: "product.created" });
    await created.nth(1).click();
    const payload = await page.locator(".opened pre", { hasText: "HOOKED" }).innerText();
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText(/The events 1 to \d+ would be posted again/).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await change("Rotate secret");
    const rotated = /whsec_[\w+/=]+/.exec(await page.locator(".notice").innerText())?.[0];
    await change("Pause");
    await main().getByText("paused", { exact: true }).waitFor();

    await open("#/webhooks");
    const successes = page.getByRole("region", { name: "Webhooks" }).locator("td").nth(4).locator("time");
    expect(await successes.first().getAttribute("title")).toMatch(/UTC$/);
    expect(secret).not.toBe("");
    expect(payload).toContain('"sku": "HOOKED-1"');
    expect(rotated).toMatch(/^whsec_/);
    expect(code).toContain(`new Webhook("${secret}")`);
    expect(receiver.received.map(({ body }) => at(JSON.parse(body), "type"))).toContain("webhook.test");
    expect(await page.content()).not.toContain(secret);
  });

  /** Loses the answers to the first three of these calls. @returns the keys of the calls, as they come */
  const loseAnswers = async (url: string): Promise<readonly (string | undefined)[]> => {
    const keys: (string | undefined)[] = [];
    await page.route(url, async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      const response = await route.fetch();
      return keys.length < 4 ? route.abort() : route.fulfill({ response });
    });
    return keys;
  };
  /** Sends a change whose answers are lost until it is sent again, all with one key. */
  const sendUnanswered = async (label: string, keys: readonly unknown[]): Promise<void> => {
    await page.getByRole("dialog").getByRole("button", { name: label }).click();
    await page.getByText("The service does not answer").waitFor();
    await confirm(label);
    await page.unrouteAll();
    expect(keys).toEqual(Array(4).fill(keys[0]));
  };

  test("makes one webhook, although its answer was lost and it is sent again", async () => {
    const keys = await loseAnswers("**/webhooks?dry_run=false");
    await open("#/webhooks");
    await page.getByRole("button", { name: "New webhook" }).click();
    await page.getByLabel("URL").fill(`${receiver.url}&again`);
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("would be posted to").waitFor();
    await sendUnanswered("New webhook", keys);
    await page.getByText("2 webhooks").waitFor();

    expect(await page.locator(".notice").innerText()).toContain("Rotate it");
  });

  test("says that a new secret was lost with the answer of its rotation", async () => {
    const keys = await loseAnswers("**/rotate?dry_run=false");
    await open("#/webhooks/1");
    await main().getByRole("button", { name: "Rotate secret" }).click();
    await page.getByText("would get a new secret").waitFor();
    await sendUnanswered("Rotate secret", keys);

    expect(await page.locator(".notice").innerText()).toContain("secret was lost with its answer");
  });

  test("keeps what was read in sight while the service does not answer anew", async () => {
    await open("#/webhooks/1");
    const deliveries = page.locator("summary", { hasText: "webhook.test" });
    await deliveries.first().waitFor();
    const before = await deliveries.count();
    await page.route("**/deliveries?*", (route) => route.fulfill({ status: 429 }));
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("The service does not answer (429)").waitFor();
    await page.getByText("Trying again every three seconds").waitFor();
    const after = await deliveries.count();
    await page.unroute("**/deliveries?*");
    await page.getByText("Trying again every three seconds").waitFor({ state: "detached" });

    expect(after).toBe(before);
  });

  test("shows since when a webhook fails in the viewer's zone, and in UTC on hover", async () => {
    const webhook = {
      webhook_id: 9,
      url: receiver.url,
      types: ["*"],
      failing_since: "2026-01-02T03:04:05.678Z",
    };
    await page.route("**/webhooks/9", (route) => route.fulfill({ json: { data: webhook } }));
    await open("#/webhooks/9");
    const since = page.locator("dd time").first();
    await since.waitFor();
    const [shown, hover] = [await since.innerText(), await since.getAttribute("title")];
    await page.unroute("**/webhooks/9");

    expect(shown).toContain("12:04:05");
    expect(hover).toBe("2026-01-02 03:04:05 UTC");
  });

  test("plays the warehouse of a sandbox: an order is picked, shipped and returned", async () => {
    const orderId = await pendingOrder(service, [{ sku: "DEMO-TEE", quantity: 1 }]);
    await open(`#/orders/${orderId}`);
    const timeline = page.locator(".timeline");
    await page.getByRole("button", { name: "Pick", exact: true }).click();
    await timeline.getByText("picked 1 × DEMO-TEE").waitFor();
    await page.getByRole("button", { name: "Ship", exact: true }).click();
    await main().locator("header .badge", { hasText: "Shipped" }).waitFor();
    await page.getByRole("button", { name: "Return", exact: true }).click();
    const returned = page.getByRole("region", { name: "Items" }).locator("td").nth(3);
    await returned.filter({ hasText: "1" }).waitFor();
    const { body: after } = await service.oms.get(`/orders/${orderId}`);

    expect(at(after, "data.items.0.returned")).toBe(1);
    expect(await page.locator("summary", { hasText: /^Job/ }).count()).toBe(0);
  });

  test("shows what jobs of the warehouse changed: an order was weighed, and taken back to Pending", async () => {
    const orderId = await pendingOrder(service, [{ sku: "DEMO-TEE", quantity: 1 }]);
    const weight = { nbtybarcode: barcodeOf(orderId), weight: 2.5 };
    await service.oms.post("/simulations", { order_id: orderId, to: "picked" });
    const weighed = await service.wms.post("/orders/UpdateWeight", { data: [weight] });
    await service.settled();
    const reverted = await service.wms.post("/shipments/revert/pending", { shipments_list: [orderId] });
    await service.settled();
    await open(`#/orders/${orderId}`);
    const jobs = page.locator("summary", { hasText: /^Job/ });
    await jobs.first().waitFor();

    const shown = await jobs.allInnerTexts();
    await page.getByRole("link", { name: "All of its events" }).click();
    await page.getByRole("heading", { name: "Events" }).waitFor();
    await page.locator("summary", { hasText: "order.weighed" }).waitFor();
    const [revert, weighing] = [reverted, weighed].map(({ headers }) => headers.get("x-request-id"));
    expect(shown).toEqual([
      expect.stringMatching(/Processing → Pending.*put back 1 × DEMO-TEE.* by user:manager/s),
      expect.stringMatching(/weight none → 2\.5 by user:manager/s),
    ]);
    expect(shown[0]).toContain(`request ${revert}`);
    expect(shown[1]).toContain(`request ${weighing}`);
  });

  test("shows the total and the pages of a million orders, each page as of the first", async () => {
    const blocks = 1_000_000 / blockSize;
    const shapes = shapesOf(1, 1);
    const account = { name: "", accountId: 9000, firstBlock: 1_000_000, blocks, shapes, moved: new Map() };
    const filter = { name: "none", query: "", wants: () => true };
    const { orders } = expected(account, filter);
    await Promise.all([
      putAccount(service.db, {
        ...demoAccount,
        account_id: account.accountId,
        key: "million",
        sandbox: false,
      }),
      storeCounters(service.db, account),
      recordsIn(service.db, account)([...orders(1, 50), ...orders(5000, 50)]),
    ]);
    const { page } = await openPage(browser, new URL(service.runtime.url).origin, {});
    await signIn(page, storeOf(service, account.accountId, "million"));
    await page.getByText("1,000,000 orders, page 1 of 20,000").waitFor();
    const badges = await page.getByRole("banner").locator(".badge").count();
    const newest = await page.locator("tbody time").first().getAttribute("datetime");
    const asked = page.waitForRequest(/page=2/);
    await page.getByRole("button", { name: "Next" }).click();
    await page.evaluate("location.hash = '#/orders?page=5000'");
    await page.getByText("1,000,000 orders, page 5,000 of 20,000").waitFor();
    const rows = await page.locator("tbody tr").count();

    expect(new URL((await asked).url()).searchParams.get("to_date")).toBe(newest);
    expect(rows).toBe(50);
    // The account is no sandbox.
    expect(badges).toBe(0);
  }, 120_000);

  test("sends any call of the document, and shows it for curl without the key", async () => {
    await open("#/requests/createProducts");
    await page.getByLabel("Body").fill(JSON.stringify({ data: [productOf({ sku: "BY-HAND" })] }));
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText('"dry_run": true').waitFor();
    const shown = await main().innerText();
    await picture("requests");
    const { status } = await service.oms.get("/inventory/products/BY-HAND?identify_by=sku");

    const dryRun = page.getByLabel("Dry run");
    const key = page.getByLabel("Idempotency-Key");
    await dryRun.uncheck();
    const sentBy = await key.inputValue();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText('"product_id"').waitFor();
    const stays = await dryRun.isChecked();
    const next = await key.inputValue();
    await open("#/requests/getProduct");
    await page.getByLabel("prod_identifier").fill("A lamp/large");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("prod_identifier can't hold / or ? in a path").waitFor();
    await page.getByLabel("prod_identifier").fill("A lamp, large");
    const asked = page.waitForRequest(/products/);
    await page.getByRole("button", { name: "Send" }).click();

    expect((await asked).url()).toMatch(/\/inventory\/products\/A%20lamp%2C%20large$/);
    expect(shown).toMatch(/200 OK in \d+ ms\s+Request [\w-]+/);
    expect(shown).toContain('-H "Key: $KEY"');
    expect(shown).not.toContain(service.credentials["Key"]);
    expect(status).toBe(404);
    expect(stays).toBe(false);
    expect(sentBy).not.toBe("");
    expect(next).not.toBe(sentBy);
  });

  /** A CSV file with these products. */
  const productRows = (skus: readonly string[]): readonly string[] => {
    const fields = Object.entries(productOf({ sku: "" })).filter(([, value]) => value !== "");
    const [names, values] = [fields.map(([name]) => name), fields.map(([, value]) => value)];
    return [["sku", ...names].join(), ...skus.map((sku) => [sku, ...values].join())];
  };
  const chooseFile = (buffer: Buffer): Promise<void> =>
    page.getByLabel("CSV file").setInputFiles({ name: "rows.csv", mimeType: "text/csv", buffer });
  /** Chooses a file for the import, and waits until it is checked. */
  const importFile = async (rows: readonly string[], encoding?: "latin1"): Promise<void> => {
    await chooseFile(Buffer.from(rows.join("\r\n"), encoding));
    await page.locator(".notice").waitFor();
  };

  test("marks each cell of a file that the service refuses, and sends nothing", async () => {
    await open("#/import");
    const { address1, city, state, zip, country } = customer;
    const rest = [`"${hostile.replaceAll('"', '""')}"`, address1, city, state, zip, country].join();
    await page.getByLabel("CSV file").focus();
    await importFile([
      "order_number,shipping_method,customer.firstname,customer.address1,customer.city,customer.state,customer.zip,customer.country,sku,quantity",
      `IMPORT-1,GROUND,${rest},DEMO-TEE,2`,
      `IMPORT-1,,,,,,,,NO-SUCH,1`,
      `IMPORT-2,PIGEON,${rest},DEMO-TEE,none`,
      `HOSTILE-1,GROUND,${rest},DEMO-TEE,1`,
    ]);
    await picture("import");
    const marked = await page.locator("td .red").allInnerTexts();
    const focused = await page.locator(":focus").getAttribute("type");
    const { body } = await service.oms.get("/orders?order_number=IMPORT-*");

    expect(marked.map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
      "NO-SUCH is not a known SKU (NO-SUCH)",
      expect.stringMatching(/^none must be a/),
    ]);
    expect(await main().getByText(hostile).count()).toBeGreaterThan(0);
    expect(focused).toBe("file");
    expect(at(body, "metadata.total_records")).toBe(0);
  });

  test("checks the last record of a cut list of errors again, since it may have more of them", async () => {
    let calls = 0;
    await page.route("**/products?dry_run=true", async (route) => {
      calls += 1;
      const errors = [0, 1].map((at) => ({ path: `data.${at}.sku`, message: "is refused" }));
      const json = { response: { success: false, message: "refused", errors, errors_total: 3 } };
      await (calls === 1 ? route.fulfill({ status: 400, json }) : route.continue());
    });
    await open("#/import/products");
    await importFile(productRows(["CUT-1", "CUT-2"]));
    const marked = await page.locator("td .red").allInnerTexts();
    await page.unroute("**/products?dry_run=true");

    expect(marked).toEqual([expect.stringMatching(/^CUT-1\s+is refused$/)]);
  });

  test("stops an import after the call that is under way, and goes on from there", async () => {
    const rows = productRows(Array.from({ length: 101 }, (_, row) => `STOPPED-${row}`));
    const stopped = Promise.withResolvers<void>();
    await page.route("**/products?dry_run=true", async (route) => {
      await stopped.promise;
      await route.continue();
    });
    await open("#/import/orders");
    await open("#/import/products");
    await chooseFile(Buffer.from(rows.join("\n")));
    await page.getByRole("button", { name: "Stop" }).click();
    stopped.resolve();
    await page.getByRole("button", { name: "Go on" }).waitFor();
    const checked = await page.getByText("Checked 100 of 101 products").count();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("All are accepted: 101 products would be created").waitFor();
    await page.unroute("**/products?dry_run=true");

    expect(checked).toBe(1);
  });

  test("refuses a file larger than 10 MB without reading it", async () => {
    await open("#/import/orders");
    await page.evaluate(
      "Object.defineProperty(File.prototype, 'size', { value: 10_000_001, configurable: true })",
    );
    await chooseFile(Buffer.from("sku"));
    await page.getByText("The file is larger than 10 MB").waitFor();
    await page.evaluate("delete File.prototype.size");
  });

  test("names the columns of a file and its first line that is not UTF-8, and says how to save it", async () => {
    await open("#/import/products");
    await page.getByText(/Columns, .* sku, description, .* Optional: .*upc/).waitFor();
    await importFile(["sku,description", "HAT,Hat", "MUETZE,Mütze"], "latin1");
    const said = await page.locator(".notice").innerText();

    expect(said).toMatch(/line 3 is not UTF-8; nothing of the file was stored\. Save the file as UTF-8/);
  });

  test("goes on with an import after a lost answer, and creates nothing twice in another tab either", async () => {
    const rows = productRows(Array.from({ length: 101 }, (_, row) => `BULK-${row}`));
    const keys = await loseAnswers("**/products?dry_run=false");
    await open("#/import/products");
    await importFile(rows);
    await page.getByRole("button", { name: "Send 101 products" }).click();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("Sent 101 products.").waitFor();
    await page.unroute("**/products?dry_run=false");
    await open("#/import/orders");
    await open("#/import/products");
    await importFile(rows);
    const again = await page.locator(".notice").innerText();
    await importFile(productRows(["DEMO-KIT"]));
    const marked = await page.locator("td .red").innerText();
    const { body } = await service.oms.get("/inventory/products?sku=BULK-*");

    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[0], keys[4]]);
    expect(keys[0]).not.toBe(keys[4]);
    expect(again).toBe("101 products exist already, and are left out.");
    expect(marked).toContain("is the name of a synset already (DEMO-KIT)");
    expect(at(body, "metadata.total_records")).toBe(101);
  });

  test.each([
    ["REFUSED-1", () => page.getByRole("button", { name: "Check again" }).click()],
    [
      "REFUSED-2",
      async () => {
        await open("#/import/orders");
        await open("#/import/products");
        await importFile(productRows(["REFUSED-2"]));
      },
    ],
  ])(
    "sends a batch by another key once the service has refused it, since the key keeps the refusal: %s",
    async (sku, again) => {
      const keys: (string | undefined)[] = [];
      await page.route("**/products?dry_run=false", async (route) => {
        keys.push(route.request().headers()["idempotency-key"]);
        const json = { response: { success: false, message: "just now refused" } };
        await (keys.length === 1 ? route.fulfill({ status: 400, json }) : route.continue());
      });
      await open("#/import/products");
      await importFile(productRows([sku]));
      await page.getByRole("button", { name: "Send 1 product" }).click();
      await page.getByText("just now refused").waitFor();
      await again();
      await page.getByRole("button", { name: "Send 1 product" }).click();
      await page.getByText("Sent 1 product.").waitFor();
      await page.unroute("**/products?dry_run=false");

      expect(keys).toHaveLength(2);
      expect(keys[1]).not.toBe(keys[0]);
    },
  );

  test("shows a page of older events under no other filter, although it arrives late", async () => {
    await open("#/events?types=product.*");
    const older = page.getByRole("button", { name: "Older events" });
    await older.waitFor();
    const late = Promise.withResolvers<void>();
    await page.route("**/events?*before=*", async (route) => {
      await late.promise;
      await route.continue();
    });
    const answered = page.waitForResponse(/before=/);
    await older.click();
    await open("#/events?types=order.*");
    await page.locator("summary", { hasText: "order." }).first().waitFor();
    late.resolve();
    await answered;
    await page.unroute("**/events?*before=*");
    const shown = await page.locator("summary").allInnerTexts();

    expect(shown.filter((text) => text.includes("product."))).toEqual([]);
  });

  test.each([
    "#/orders",
    "#/orders/ID",
    "#/stock",
    "#/stock/DEMO-MUG",
    "#/events",
    "#/webhooks",
    "#/webhooks/1",
    "#/import",
    "#/requests",
  ])("fits a phone and has nothing that axe finds, in light and dark: %s", async (hash) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(hash.replace("ID", String(orderId)));
    await page.locator("h1").waitFor();
    await page.locator(".loading").waitFor({ state: "detached" });
    const width = await page.evaluate("document.documentElement.scrollWidth");
    const cut = await page.evaluate(
      "[...document.querySelectorAll('.scroll')].filter((table) => table.scrollWidth > table.clientWidth).length",
    );
    const found: unknown[] = [];
    // A scheme changes colors alone.
    for (const [colorScheme, rules] of [["light"], ["dark", ["color-contrast"]]] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      found.push(await page.evaluate(runAxe(rules)));
    }

    expect(width).toBe(390);
    expect(cut).toBe(0);
    expect(found).toEqual([[], []]);
  });

  test("reads again once the service is back, and asks for a key when its own is revoked", async () => {
    await open("#/orders");
    await page.getByText("6 orders").waitFor();
    await page.route("**/apirest/v4/oms/orders*", (route) => route.abort());
    await open("#/orders?number=DEMO-*");
    await page.getByText("Trying again every three seconds").waitFor();
    const stale = await page.locator("tbody tr").count();
    await page.unroute("**/apirest/v4/oms/orders*");
    await page.getByText("3 orders").waitFor();
    await putAccount(service.db, { ...demoAccount, key: "another-key" });
    await open("#/stock");
    await page.getByText("The Key is invalid").waitFor();
    await putAccount(service.db, demoAccount);

    expect(stale).toBe(0);
    expect(await page.getByLabel("Account id").isVisible()).toBe(true);
    expect(await page.evaluate("sessionStorage.getItem('console')")).toBeNull();
    // What the tab keeps may be damaged.
    await page.evaluate("sessionStorage.setItem('console', '{')");
    await page.reload();
    expect(await page.getByLabel("Account id").isVisible()).toBe(true);
  });

  test("signs in once, however often its button is pressed, which keeps the focus", async () => {
    const answers = Promise.withResolvers<void>();
    let calls = 0;
    await page.route("**/orders/cancel?*", async (route) => {
      calls += 1;
      await answers.promise;
      await route.continue();
    });
    await page.getByLabel("Account id").fill("100");
    await page.getByLabel("Key").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).press("Enter");
    await page.getByRole("button", { name: "Signing in…" }).press("Enter");
    const focused = await page.locator(":focus").innerText();
    answers.resolve();
    await page.getByText("The Key is invalid").waitFor();
    await page.unroute("**/orders/cancel?*");

    expect(focused).toBe("Signing in…");
    expect(calls).toBe(1);
  });

  test("is there within a second, has no button that writes for a read-only key, and keeps it if asked to", async () => {
    await putAccount(service.db, { ...demoAccount, key_scope: "read" });
    await signIn(page, service, true);
    const paints: number[] = [];
    // The best of three, since the machine does other work as well.
    while (paints.length < 3 && !paints.some((paint) => paint < 1000)) {
      await page.reload();
      await page.getByText("read-only", { exact: true }).waitFor();
      paints.push(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"));
    }
    await open(`#/orders/${orderId}`);
    await page.getByText("This key is read-only.").waitFor();
    const controls = await page.locator("aside").locator("button, a").count();
    const buttons = await main().getByRole("button").allInnerTexts();
    await open("#/webhooks");
    await page.getByText("A read-only key can't see them: URLs may hold secrets.").waitFor();
    await putAccount(service.db, demoAccount);

    expect(buttons).toEqual([]);
    expect(controls).toBe(0);
    expect(Math.min(...paints)).toBeLessThan(1000);
  });

  test("is led by keys, and reports nothing but calls that the API refused on purpose", async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.getByRole("heading", { name: "Stock" }).waitFor();
    const focused = await page.locator(":focus").innerText();
    await main().locator("tbody a").first().waitFor();
    const rows: string[] = [];
    for (const key of ["k", "k", "j"]) {
      await page.keyboard.press(key);
      rows.push(await page.locator(":focus").innerText());
    }
    const listed = await main().locator("tbody a").allInnerTexts();
    const skip = page.getByRole("button", { name: "Skip to the content" });
    await skip.focus();
    const place = await skip.boundingBox();
    await page.keyboard.press("Enter");
    const skippedTo = await page.locator(":focus").innerText();
    await page.keyboard.press("/");
    await page.keyboard.type("DEMO-TEE");
    await page.keyboard.press("Enter");
    await page.getByText("1 line", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("h1").focus();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "DEMO-TEE" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");

    expect(focused).toBe("Stock");
    expect(rows).toEqual([listed.at(-1), listed.at(-2), listed.at(-1)]);
    expect(place?.x).toBeGreaterThanOrEqual(0);
    expect(skippedTo).toBe("Stock");
    // A browser notes every refusal on its console: those of the sign-in, and what the tests above provoke.
    expect(troubles.filter((text) => !/status of 4(0[0134]|29)|ERR_FAILED/.test(text))).toEqual([]);
  });
});
