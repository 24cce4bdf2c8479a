import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { demoPassword } from "../../../infra/demo/registry.ts";
import { newUser } from "../../support/http/mobile.ts";
import { productOf } from "../../support/records/records.ts";
import { browserHere, closePages, openPage, sharedBrowser } from "../../support/runtime/browser.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const phone = { viewport: { width: 390, height: 844 } };
const desk = { viewport: { width: 1280, height: 900 } };

describe.skipIf(browserHere === undefined)("in a browser", () => {
  let service: Service;
  let browser: Browser;
  let origin: string;
  /** One page for all tests, since each further one starts processes for a second. */
  let page: Page;
  let troubles: string[];
  beforeAll(async () => {
    [service, browser] = await Promise.all([sharedService(), sharedBrowser()]);
    origin = new URL((await service.browse("/apirest/v4/wms/docs")).url).origin;
    ({ page, troubles } = await openPage(browser, origin, desk));
  });
  afterAll(() => closePages(browser));

  /** Enters the credentials of the account, once for all pages of the tab. */
  async function enterCredentials(): Promise<void> {
    await page.locator("header").getByRole("button", { name: "Credentials" }).click();
    const dialog = page.getByRole("dialog", { name: "Credentials" });
    await dialog.getByLabel("AccountID").fill(service.credentials["AccountID"] ?? "");
    await dialog.getByLabel("Key").fill(service.credentials["Key"] ?? "");
    expect(await dialog.getByLabel("Key").getAttribute("type")).toBe("password");
    await dialog.getByRole("button", { name: "Use" }).click();
    await dialog.waitFor({ state: "hidden" });
  }

  /** Opens the form of a call, and sends it as it opens or with this body. */
  async function testRequest(operationId: string, body?: object) {
    const call = page.locator(`#${operationId}`);
    await call.getByRole("button", { name: "Test request" }).click();
    if (body !== undefined) await call.getByLabel("Body").fill(JSON.stringify(body));
    const answered = page.waitForResponse((one) => one.request().resourceType() === "fetch");
    await call.getByRole("button", { name: "Send" }).click();
    const answer = await answered;
    await call.locator(".outcome .status").waitFor();
    return { url: answer.url(), status: answer.status(), shown: await call.locator(".answer").innerText() };
  }

  describe("page by page", () => {
    afterEach(async () => {
      await page.evaluate("sessionStorage.clear(); localStorage.clear()");
      await page.goto("about:blank");
      expect(troubles.splice(0)).toEqual([]);
    });

    test("test requests work as they open, on all pages, with credentials that are entered once", async () => {
      await page.goto("/apirest/v4/oms/docs");
      const unknown = page.locator("#ping");
      await unknown.getByRole("button", { name: "Test request" }).click();
      await unknown.getByRole("button", { name: "Send" }).click();
      const asked = await page.getByRole("dialog", { name: "Credentials" }).isVisible();
      await page.keyboard.press("Escape");
      await unknown.getByRole("button", { name: "Close" }).click();
      await enterCredentials();
      const ping = await testRequest("ping");
      await page.goto("/apirest/v4/oms/docs/orders");
      const list = await testRequest("listOrders");
      await page.goto("/apirest/v4/oms/docs/products");
      const create = await testRequest("createProducts", { data: [productOf({ sku: "PAGES-1" })] });

      const read = page.locator("#getProduct");
      await read.getByRole("button", { name: "Test request" }).click();
      await read.locator('[data-in="path"]').fill("PAGES/1");
      await read.getByRole("button", { name: "Send" }).click();
      await read.getByText("A path can't hold / or ? in a name").waitFor();

      expect(asked).toBe(true);
      expect([ping, list, create].map(({ status }) => status)).toEqual([200, 200, 200]);
      expect([list.url, create.url]).toEqual([
        `${origin}/apirest/v4/oms/orders`,
        `${origin}/apirest/v4/oms/inventory/products?dry_run=true`,
      ]);
      expect(ping.shown).toContain("pong");
      expect(create.shown).toContain('"dry_run": true');
      expect(page.url()).not.toContain(service.credentials["Key"] ?? "");
    });

    test("the chosen language stays, and an address of the viewer of release 1.0.0 leads to its call", async () => {
      await page.goto("/apirest/v4/oms/docs");
      await page.getByRole("button", { name: "Python" }).first().click();
      await page.goto("/apirest/v4/oms/docs#tag/orders/POST/apirest/v4/oms/orders");
      await page.waitForURL("**/docs/orders#createOrders");
      const shown = await page.locator("#createOrders .sample:visible").innerText();

      expect(shown).toContain("create_orders.sync(");
    });

    test("closing the credentials keeps them as they were, and those of other pages", async () => {
      const stored = () => page.evaluate("sessionStorage.getItem('credentials')").then(String);
      const open = () => page.locator("header").getByRole("button", { name: "Credentials" }).click();

      await page.goto("/apirest/v4/oms/docs");
      await page.evaluate(`sessionStorage.setItem('credentials', '{"warehouse.Key":"other"}')`);
      await enterCredentials();
      const entered: unknown = JSON.parse(await stored());
      await open();
      await page.getByRole("dialog", { name: "Credentials" }).getByLabel("Key").fill("unfinished");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Credentials" }).waitFor({ state: "hidden" });
      const closed: unknown = JSON.parse(await stored());
      await open();
      await page.getByRole("button", { name: "Forget" }).click();
      const forgotten = await stored();

      const { AccountID, Key } = service.credentials;
      expect(entered).toEqual({
        "account.AccountID": AccountID,
        "account.Key": Key,
        "warehouse.Key": "other",
      });
      expect(closed).toEqual(entered);
      expect(forgotten).toBe("null");
    });

    test("a page works at an address that is not encoded, and says if the search can't be loaded", async () => {
      await page.route(
        "**/search.json",
        (route) => route.fulfill({ contentType: "text/html", body: "<p>" }),
        {
          times: 1,
        },
      );

      await page.goto("/apirest/v4/oms/docs#100%");
      await page.keyboard.press("/");
      const count = page.locator("#search .count");
      await count.filter({ hasText: "The search can't be loaded" }).waitFor();
      await page.keyboard.type("or");
      await page.locator("#search li").first().waitFor();

      expect(await count.innerText()).toMatch(/^\d+ found$/);
    });

    test.each(["429", "rate limit", "retry"])("the search finds %s by keyboard", async (sought) => {
      await page.goto("/apirest/v4/oms/docs");
      await page.keyboard.press("/");
      await page.keyboard.type(sought);
      await page.locator("#search li").first().waitFor();
      const found = await page.locator("#search li strong").allInnerTexts();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/docs\/./);

      expect(found.slice(0, 3).join()).toMatch(/Retries and rate limits|Errors/);
    });

    test("the WMS page refuses a wrong password, opens by keyboard after a right one, and closes", async () => {
      const user = await newUser(service);
      await page.setViewportSize(phone.viewport);
      const enter = async (password: string) => {
        await page.getByLabel("User name").focus();
        await page.keyboard.type(user);
        await page.keyboard.press("Tab");
        await page.keyboard.type(password);
        await page.keyboard.press("Enter");
      };

      await page.goto("/apirest/v4/wms/docs");
      await enter("wrong");
      const rejection = await page.getByRole("alert").innerText();
      await enter(demoPassword);
      await page.getByRole("heading", { name: "Test the credentials" }).waitFor();
      const width = await page.evaluate("document.documentElement.scrollWidth");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("Password").waitFor();

      expect(rejection).toBe("The user name or the password is wrong.");
      expect(width).toBe(phone.viewport.width);
      expect(await page.context().cookies()).toEqual([]);
      // A browser notes every rejection on its console.
      expect(troubles.splice(0)).toEqual([expect.stringContaining("401 (Unauthorized)")]);
    });
  });

  describe("looked at by axe", () => {
    // The pages' policy keeps axe out as well.
    let page: Page;
    beforeAll(async () => {
      ({ page } = await openPage(browser, origin, { bypassCSP: true }));
    });

    test.each([
      [desk, "light", "webhooks"],
      [desk, "dark", "errors"],
      [phone, "light", "receive-webhooks"],
      [phone, "dark", "stock"],
    ] as const)(
      "axe finds nothing serious, and nothing is wider than the screen: %j, %s, %s",
      async (screen, colorScheme, path) => {
        await page.setViewportSize(screen.viewport);
        await page.emulateMedia({ colorScheme });
        await page.goto(`/apirest/v4/oms/docs/${path}`);
        await page.evaluate(readFileSync("node_modules/axe-core/axe.min.js", "utf8"));
        const found = await page.evaluate(
          "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact }) => impact + ' ' + id))",
        );
        const width = await page.evaluate("document.documentElement.scrollWidth");

        expect(found).toEqual([]);
        expect(width).toBe(screen.viewport.width);
      },
    );
  });
});
